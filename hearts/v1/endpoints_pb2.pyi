from hearts.v1 import play_pb2 as _play_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ServeRequest(_message.Message):
    __slots__ = ("frame",)
    FRAME_FIELD_NUMBER: _ClassVar[int]
    frame: _play_pb2.ArbiterFrame
    def __init__(self, frame: _Optional[_Union[_play_pb2.ArbiterFrame, _Mapping]] = ...) -> None: ...

class ServeResponse(_message.Message):
    __slots__ = ("frame",)
    FRAME_FIELD_NUMBER: _ClassVar[int]
    frame: _play_pb2.BotFrame
    def __init__(self, frame: _Optional[_Union[_play_pb2.BotFrame, _Mapping]] = ...) -> None: ...

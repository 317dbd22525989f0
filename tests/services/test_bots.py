"""Registering bots: names, tokens, repeats."""

from __future__ import annotations

import grpc
import pytest
from services_kit import Api, register

from arbiter.store import Role, Store
from hearts.v1 import bots_pb2, errors_pb2


def creation(
    name: str, request_id: str = "r1", description: str = "", house: bool = False
) -> bots_pb2.CreateBotRequest:
    bot = bots_pb2.Bot(name=name, house=house, description=description)
    return bots_pb2.CreateBotRequest(bot=bot, request_id=request_id)


async def known(api: Api) -> bool:
    """Whether the server knows this bot's token, with which it may only play."""
    found = await api.refused(api.bots.ListBots, bots_pb2.ListBotsRequest())
    return found.code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_bot_is_registered_and_found(admin: Api, store: Store) -> None:
    request = creation("bots/anna", description="Counts hearts – 心", house=True)
    made = await admin(admin.bots.CreateBot, request)
    assert made.bot.name == "bots/anna"
    assert made.bot.house
    assert made.bot.create_time.seconds > 0
    assert not made.bot.online
    identity = await store.tokens.lookup(made.token)
    assert identity is not None
    assert (identity.role, identity.subject) == (Role.BOT, "anna")
    found = await admin(admin.bots.GetBot, bots_pb2.GetBotRequest(name="bots/anna"))
    assert found.bot == made.bot


async def test_a_repeat_gives_a_fresh_token_and_the_first_stops_at_once(
    admin: Api, bot: Api
) -> None:
    first = await admin(admin.bots.CreateBot, creation("bots/anna"))
    mine = Api(bot.channel, first.token)
    assert await known(mine)
    second = await admin(admin.bots.CreateBot, creation("bots/anna"))
    assert second.bot == first.bot
    assert second.token != first.token
    assert not await known(mine)
    mine.token = second.token
    assert await known(mine)


@pytest.mark.parametrize(
    "other",
    [
        creation("bots/anna", "r2"),
        creation("bots/anna", "r1", "another bot"),
        creation("bots/anna", "r1", house=True),
    ],
)
async def test_a_name_is_given_once(admin: Api, other: bots_pb2.CreateBotRequest) -> None:
    made = await admin(admin.bots.CreateBot, creation("bots/anna"))
    found = await admin.refused(admin.bots.CreateBot, other)
    assert found.code == grpc.StatusCode.ALREADY_EXISTS
    assert found.detail.reason == errors_pb2.ERROR_REASON_ALREADY_EXISTS
    assert found.detail.subject == "bots/anna"
    # And the first registration's token still works.
    assert await known(Api(admin.channel, made.token))


NAMES = {
    "nothing": "",
    "no collection": "anna",
    "another collection": "matches/anna",
    "one letter": "bots/a",
    "33 letters": "bots/" + "a" * 33,
    "capitals": "bots/Anna",
    "digit first": "bots/1anna",
    "hyphen first": "bots/-anna",
    "markup": "bots/<b>anna</b>",
    "escape": "bots/anna\x1b[2J",
    "newline": "bots/anna\n",
    "nul": "bots/an\x00na",
    "right to left": "bots/an\u202ena",
    "look-alike letters": "bots/\u0430nna",
    "path": "bots/anna/../bert",
    "10 kB": "bots/" + "a" * 10_000,
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
async def test_ss07_names_that_could_fool_people_are_refused(admin: Api, name: str) -> None:
    for method, request in [
        (admin.bots.CreateBot, creation(name)),
        (admin.bots.GetBot, bots_pb2.GetBotRequest(name=name)),
    ]:
        found = await admin.refused(method, request)
        assert found.code == grpc.StatusCode.INVALID_ARGUMENT
        assert found.detail.subject.endswith("name")
        assert "a-z" in found.detail.allowed[0]
        assert found.detail.value.isprintable()
        assert len(found.detail.value) < 200


TEXTS = {
    "escape": "\x1b[31mred",
    "two lines": "a\nb",
    "nul": "a\0b",
    "right to left": "a\u202eb",
    "zero width": "a\u200bb",
    "too long": "x" * 201,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
async def test_ss07_descriptions_are_one_plain_line(admin: Api, text: str) -> None:
    found = await admin.refused(admin.bots.CreateBot, creation("bots/anna", description=text))
    assert found.code == grpc.StatusCode.INVALID_ARGUMENT
    assert found.detail.subject == "bot.description"


@pytest.mark.parametrize(
    ("request_id", "reason"),
    [
        ("", errors_pb2.ERROR_REASON_MISSING_VALUE),
        ("x" * 65, errors_pb2.ERROR_REASON_INVALID_VALUE),
        ("a\nb", errors_pb2.ERROR_REASON_INVALID_VALUE),
    ],
)
async def test_request_ids(admin: Api, request_id: str, reason: int) -> None:
    found = await admin.refused(admin.bots.CreateBot, creation("bots/anna", request_id))
    assert found.detail.subject == "request_id"
    assert found.detail.reason == reason


async def test_a_bot_is_needed(admin: Api) -> None:
    found = await admin.refused(admin.bots.CreateBot, bots_pb2.CreateBotRequest(request_id="r1"))
    assert (found.code, found.detail.subject) == (grpc.StatusCode.INVALID_ARGUMENT, "bot")


async def test_unknown_bot(admin: Api) -> None:
    found = await admin.refused(admin.bots.GetBot, bots_pb2.GetBotRequest(name="bots/nobody"))
    assert found.code == grpc.StatusCode.NOT_FOUND
    assert found.detail.subject == "bots/nobody"


async def test_pages(admin: Api) -> None:
    names = [f"bot-{letter}" for letter in "edcba"]
    await register(admin, *names)
    seen, token = [], ""
    while True:
        page = await admin(
            admin.bots.ListBots, bots_pb2.ListBotsRequest(page_size=2, page_token=token)
        )
        seen.append([bot.name for bot in page.bots])
        token = page.next_page_token
        if not token:
            break
    assert seen == [["bots/bot-a", "bots/bot-b"], ["bots/bot-c", "bots/bot-d"], ["bots/bot-e"]]
    full = await admin(admin.bots.ListBots, bots_pb2.ListBotsRequest(page_size=5))
    assert not full.next_page_token


@pytest.mark.parametrize("token", ["x", "!!!", "AAAA", "bm9uc2Vuc2U", "é", "A" * 5000])
async def test_made_up_page_tokens_are_refused(admin: Api, token: str) -> None:
    found = await admin.refused(admin.bots.ListBots, bots_pb2.ListBotsRequest(page_token=token))
    assert found.code == grpc.StatusCode.INVALID_ARGUMENT
    assert found.detail.subject == "page_token"


async def test_page_sizes(admin: Api) -> None:
    found = await admin.refused(admin.bots.ListBots, bots_pb2.ListBotsRequest(page_size=1001))
    assert found.detail.subject == "page_size"
    assert list(found.detail.allowed) == ["0 to 1000"]


def served(endpoint: str, name: str = "anna") -> bots_pb2.CreateBotRequest:
    bot = bots_pb2.Bot(name=f"bots/{name}", endpoint=endpoint)
    return bots_pb2.CreateBotRequest(bot=bot, request_id="r1")


async def test_where_a_bot_serves_is_shown_to_whom_it_concerns(
    admin: Api, kim: Api, worker: Api
) -> None:
    request = served("bot.example:7800")
    request.bot.owner = "owners/kim"
    made = await admin(admin.bots.CreateBot, request)
    await admin(admin.bots.CreateBot, served("https://bert.example", "bert"))
    assert made.bot.endpoint == "bot.example:7800"
    for who, seen in (
        (admin, ["bot.example:7800", "https://bert.example"]),
        (worker, ["", ""]),
        (kim, ["bot.example:7800", ""]),
    ):
        listed = await who(who.bots.ListBots, bots_pb2.ListBotsRequest())
        assert [each.endpoint for each in listed.bots] == seen
    other = await admin.refused(admin.bots.CreateBot, served("bot.example:7801"))
    assert other.code == grpc.StatusCode.ALREADY_EXISTS


@pytest.mark.parametrize(
    ("endpoint", "words"),
    [
        ("bot.example", "HOST:PORT"),
        ("unix:/run/redis.sock", "HOST:PORT"),
        ("127.0.0.1:6379", "not a public address"),
        ("[::1]:6379", "not a public address"),
        ("169.254.169.254:80", "not a public address"),
        ("https://10.0.0.1", "not a public address"),
    ],
)
async def test_an_endpoint_that_will_never_be_dialled_is_refused(
    admin: Api, endpoint: str, words: str
) -> None:
    """SS05, while somebody is there to read why. Names are looked at when they are dialled."""
    found = await admin.refused(admin.bots.CreateBot, served(endpoint))
    assert found.code == grpc.StatusCode.INVALID_ARGUMENT
    assert found.detail.subject == "bot.endpoint"
    assert words in found.message

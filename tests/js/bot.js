// A Hearts bot, written from proto/ and docs/protocol.md alone.
//   HEARTS_TOKEN=... HEARTS_BOT=anna HEARTS_SERVER=127.0.0.1:7700 node bot.js
'use strict';
const path = require('path');
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const { HEARTS_SERVER = '127.0.0.1:7700', HEARTS_BOT, HEARTS_TOKEN, HEARTS_PROTO } = process.env;
const protos = HEARTS_PROTO || path.join(__dirname, '..', '..', 'proto');
const { PlayService } = grpc.loadPackageDefinition(loader.loadSync('hearts/v1/play.proto', {
  includeDirs: [protos], keepCase: true, defaults: true, oneofs: true, longs: String,
})).hearts.v1;

const PASS = 1, PLAY = 2, OTHERS = 1;
const suit = (card) => Math.max(0, Math.floor((card - 2) / 13));
const rank = (card) => card - 13 * suit(card);

// Low when leading, just under the winning card when following, else the highest card.
function choose({ legal, trick }) {
  const by = (value) => legal.reduce((best, card) => (value(card) > value(best) ? card : best));
  if (!trick.length) return by((card) => -rank(card));
  const led = suit(trick[0]);
  if (suit(legal[0]) !== led) return by((card) => (card === 51 ? 99 : rank(card)));
  const winning = Math.max(...trick.filter((card) => suit(card) === led));
  const under = legal.filter((card) => card < winning);
  return under.length ? under[under.length - 1] : legal[0];
}

function answer(table, turn) {
  const reply = { table, decision: turn.decision };
  if (turn.phase === PLAY) return { ...reply, card: choose(turn) };
  if (turn.phase === PASS) return { ...reply, cards: turn.hand.slice(-turn.pass_count) };
  return { ...reply, moon_choice: OTHERS };
}

const FINAL = ['UNAUTHENTICATED', 'PERMISSION_DENIED', 'FAILED_PRECONDITION', 'INVALID_ARGUMENT',
  'ABORTED', 'UNIMPLEMENTED'].map((name) => grpc.status[name]);
const client = new PlayService(HEARTS_SERVER, grpc.credentials.createInsecure(), {
  'grpc.keepalive_time_ms': 30000, 'grpc.keepalive_timeout_ms': 10000,
});

function connect(tries) {
  const metadata = new grpc.Metadata();
  metadata.set('authorization', `Bearer ${HEARTS_TOKEN}`);
  const stream = client.Play(metadata);
  let wait = Math.min(8000, 500 * 2 ** tries) * (0.8 + 0.2 * Math.random());
  stream.write({ frame: { hello: { protocol_min: 1, protocol_max: 1, sdk_name: 'hearts-js-example',
    sdk_version: '1', bot: `bots/${HEARTS_BOT}`, max_tables: 100 } } });
  stream.on('data', ({ frame }) => {
    if (frame.events.length) tries = 0; // this connection works
    const replies = [], ready = [];
    for (const { table, event, turn } of frame.events) {
      if (event === 'match_start') ready.push(table);
      else if (event === 'turn') replies.push(answer(table, turn));
    }
    if (replies.length || ready.length) stream.write({ frame: { replies, ready } });
    if (frame.goodbye) wait = Math.max(wait, frame.goodbye.retry_after_ms);
  });
  stream.on('error', () => {}); // 'status' follows, and tells more
  stream.on('status', ({ code, details }) => {
    console.error(`stream ended: ${grpc.status[code]} ${details}`);
    if (FINAL.includes(code)) process.exit(1);
    setTimeout(connect, wait, tries + 1);
  });
}
connect(0);

"""The scripts by which a match changes hands. Each is one indivisible step.

Invariant, after each of them: a planned match of a running tournament is in
exactly one of ready, playing, done, failed, as its ``state`` says; it is in
``leases`` just when it is in playing; it has a result and a record just when it
is in done. The counters of a tournament are the sizes of these sets, so they
cannot drift from what they count.
"""

from arbiter.store.holds import CORRECT
from arbiter.store.link import Script

MAX_FAILURES = 3
"""Failures in a row, without a newly finished deal, that end a match."""

RETRY_MS = 1000
"""Delay before the second attempt of a match the platform failed; the third waits twice that."""

# Race: two workers claim at once. The second finds the first's matches gone
# from ready. The fencing number never repeats; the nonce keeps a lease unique
# even if Redis lost its last second of writes and counts from an older number.
# A process must not meet a board twice, and lives as long as a batch: so of a
# board with hosted bots a batch has one rotation.
CLAIM = Script("""
local limit, lease_ms, nonce = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local hosts, most_bots, limits = ARGV[4] == '1', tonumber(ARGV[5]), {}
for i = 6, #ARGV, 2 do limits[ARGV[i]] = tonumber(ARGV[i + 1]) end
local now = now_ms()
local function ready(t, first, count)
  return redis.call('ZRANGE', key.ready(t), '-inf', now, 'BYSCORE', 'LIMIT', first, count)
end
local function is_hosted(seat)
  if string.sub(seat, 1, 6) == 'house:' then return true, true end
  local binary = string.find(seat, '@', 1, true)
    and redis.call('HGET', key.version(seat), 'kind') == 'binary'
  return binary, hosts
end
local function pick(t, want)
  local chosen, boards, bots, count, first = {}, {}, {}, 0, 0
  while #chosen < want and first < 16 * want do
    local ids = ready(t, first, want)
    if #ids == 0 then break end
    first = first + #ids
    local plans = redis.call('HMGET', key.plans(t), unpack(ids))
    for i, id in ipairs(ids) do
      local able, fresh, hosted = true, {}, false
      if string.find(plans[i], '[@:]') then
        for seat in string.gmatch(plans[i], '[^,]+') do
          local mine, can = is_hosted(seat)
          if mine then
            hosted = true
            able = able and can
            if not bots[seat] then fresh[seat] = true end
          end
        end
      end
      if hosted then
        local board, new = string.sub(id, 1, -4), 0
        for _ in pairs(fresh) do new = new + 1 end
        able = able and not boards[board] and (count == 0 or count + new <= most_bots)
        if able then
          boards[board] = true
          count = count + new
          for seat in pairs(fresh) do bots[seat] = true end
        end
      end
      if able and #chosen < want then chosen[#chosen + 1] = id end
    end
  end
  return chosen
end
for _, t in ipairs(redis.call('ZRANGE', key.running(), 0, -1)) do
  local ids = pick(t, limits[t] or limit)
  if #ids > 0 then
    redis.call('ZADD', key.running(), redis.call('INCR', key.counter('served')), t)
    local claimed = {t}
    for _, id in ipairs(ids) do
      local fence = redis.call('INCR', key.counter('fence'))
      local lease = string.format('%d-%s', fence, nonce)
      redis.call('HSET', key.match(id), 'state', 'running', 'lease', lease, 'lease_ms', lease_ms,
        'since_ms', string.format('%d', now))
      redis.call('HDEL', key.match(id), 'last_lease')
      redis.call('HINCRBY', key.match(id), 'attempts', 1)
      redis.call('ZREM', key.ready(t), id)
      redis.call('ZADD', key.playing(t), 0, id)
      redis.call('ZADD', key.leases(), now + lease_ms, id)
      claimed[#claimed + 1] = id
      claimed[#claimed + 1] = lease
    end
    return claimed
  end
end
return {}
""")

_HOLDS = """
local function holds(id, lease)
  local found = redis.call('HMGET', key.match(id), 'state', 'lease', 't')
  return found[1] == 'running' and found[2] == lease and found[3]
end
local function let_go(id, t)
  -- Until somebody claims it again, a result under the lease it had is still the only one.
  redis.call('HSET', key.match(id), 'last_lease', redis.call('HGET', key.match(id), 'lease'))
  redis.call('HDEL', key.match(id), 'lease', 'lease_ms')
  redis.call('HSET', key.match(id), 'since_ms', string.format('%d', now_ms()))
  redis.call('ZREM', key.playing(t), id)
  redis.call('ZREM', key.leases(), id)
end
"""

# Race: the lease was taken away and given to another between two heartbeats;
# only the lease's text tells, not the match's state.
HEARTBEAT = Script(
    _HOLDS
    + """
local until_ms = now_ms() + tonumber(ARGV[1])
local lost = {}
for i = 2, #ARGV, 2 do
  if holds(ARGV[i], ARGV[i + 1]) then
    redis.call('ZADD', key.leases(), until_ms, ARGV[i])
    redis.call('HSET', key.match(ARGV[i]), 'lease_ms', ARGV[1])
  else
    lost[#lost + 1] = ARGV[i]
  end
end
return lost
""",
    flags="allow-oom",  # a full memory must not cost the matches that run
)

# Race: an attempt that lost its lease writes over the checkpoint of the next.
CHECKPOINT = Script(
    _HOLDS
    + """
local id, lease, deals, data = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
if not holds(id, lease) then return 0 end
local known = tonumber(redis.call('HGET', key.match(id), 'checkpoint_deals') or '0')
if deals > known then
  redis.call('HSET', key.match(id), 'checkpoint', data, 'checkpoint_deals', deals, 'strikes', 0)
end
return 1
"""
)

# Races: the same commit is sent again because its answer was lost (SP11); two
# attempts at one match commit at once; 50 matches end at once (RC11); the
# process dies half way (SP02). One step, in which only the present lease wins;
# the last one while nobody has claimed the match since: its result waited on a
# disk while the store was away.
COMMIT = Script(
    CORRECT
    + """
local id, lease, result, record = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local deals, pool, digest, late, asked = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local match = key.match(id)
local found = redis.call('HMGET', match, 'state', 'lease', 't', 'digest', 'last_lease')
local state, held, t, known, last = unpack(found)
if state == 'done' and held == lease then
  return known == digest and 'repeated' or 'conflict'
end
local whole = t and redis.call('HGET', key.tournament(t), 'state')
if state == 'ready' and last == lease and whole ~= 'finished' and whole ~= 'cancelled' then
  redis.call('ZREM', key.ready(t), id)
elseif state ~= 'running' or held ~= lease then
  if t then redis.call('HINCRBY', key.tournament(t), 'stale', 1) end
  return 'stale'
end
redis.call('HSET', match, 'state', 'done', 'lease', lease, 'digest', digest,
  'deals', deals, 'pool', pool, 'finish_ms', string.format('%d', now_ms()))
redis.call('HDEL', match, 'lease_ms', 'last_lease', 'checkpoint', 'strikes')
redis.call('SET', key.record(id), record)
redis.call('HSET', key.results(t), id, result)
redis.call('ZREM', key.playing(t), id)
redis.call('ZREM', key.leases(), id)
redis.call('ZADD', key.done(t), 0, id)
redis.call('HINCRBY', key.tournament(t), 'deals_done', deals)
local played = {}
for i, kind in ipairs({'worker', 'arbiter'}) do
  local name = redis.call('HGET', match, kind) or ''
  played[i] = name
  if name ~= '' then
    redis.call('HINCRBY', key.late(t), kind .. ' late ' .. name, late)
    redis.call('HINCRBY', key.late(t), kind .. ' asked ' .. name, asked)
  end
end
if redis.call('HDEL', key.held(t), id) == 1 then
  correct(t, id, 'replaced', 'replay', 'played again')
end
if pool ~= '' then
  redis.call('RPUSH', key.log(pool), t .. ' ' .. id .. ' ' .. played[1] .. ' ' .. played[2])
  redis.call('SADD', key.pools(), pool)
end
return 'committed'
"""
)

# Race: the lease was lost before its holder came to play; then it is not said who plays.
ADMIT = Script(
    _HOLDS
    + """
local worker, arbiter = ARGV[1], ARGV[2]
for i = 3, #ARGV, 2 do
  if holds(ARGV[i], ARGV[i + 1]) then
    redis.call('HSET', key.match(ARGV[i]), 'worker', worker, 'arbiter', arbiter)
  end
end
""",
    flags="allow-oom",
)

# Race: worker and arbiter both report the same failure; the second finds the
# lease gone, so it is counted once.
FAIL = Script(
    _HOLDS
    + """
local id, lease, reason = ARGV[1], ARGV[2], ARGV[3]
local most, retry_ms = tonumber(ARGV[4]), tonumber(ARGV[5])
local t = holds(id, lease)
if not t then return nil end
redis.call('HINCRBY', key.match(id), 'failures', 1)
local strikes = redis.call('HINCRBY', key.match(id), 'strikes', 1)
redis.call('HSET', key.match(id), 'last_failure', reason)
let_go(id, t)
if strikes >= most then
  redis.call('HSET', key.match(id), 'state', 'failed_infra',
    'finish_ms', string.format('%d', now_ms()))
  redis.call('HDEL', key.match(id), 'checkpoint')
  redis.call('ZADD', key.failed(t), 0, id)
  return 'failed_infra'
end
redis.call('HSET', key.match(id), 'state', 'ready')
redis.call('ZADD', key.ready(t), now_ms() + retry_ms * 2 ^ (strikes - 1), id)
return 'ready'
"""
)

RELEASE = Script(
    _HOLDS
    + """
local id, lease, later_ms = ARGV[1], ARGV[2], tonumber(ARGV[3])
local t = holds(id, lease)
if not t then return 0 end
let_go(id, t)
redis.call('HSET', key.match(id), 'state', 'ready')
if later_ms > 0 then
  redis.call('HINCRBY', key.match(id), 'attempts', -1)
  redis.call('ZADD', key.ready(t), now_ms() + later_ms, id)
else
  redis.call('ZADD', key.ready(t), 0, id)
end
return 1
""",
    flags="allow-oom",
)

# Races: a heartbeat comes while the lease runs out: before, it is extended;
# after, it is reported lost. Two reapers at once: the second finds nothing.
# Redis's uptime is read in the same step, as it may restart at any moment. It may
# also have refused all writes for a while, heartbeats too (MISCONF): see arbiters.py
# for how that shows.
EXPIRE = Script(
    _HOLDS
    + """
local now = now_ms()
local uptime_ms = tonumber(string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)'))
  * 1000
local writable_ms = now - tonumber(redis.call('GET', key.counter('gap_ms')) or '0')
local expired = {}
for _, id in ipairs(redis.call('ZRANGE', key.leases(), '-inf', now, 'BYSCORE',
    'LIMIT', 0, ARGV[1])) do
  local found = redis.call('HMGET', key.match(id), 't', 'lease_ms')
  if math.min(uptime_ms, writable_ms) >= tonumber(found[2]) then
    let_go(id, found[1])
    redis.call('HSET', key.match(id), 'state', 'ready')
    redis.call('ZADD', key.ready(found[1]), 0, id)
    expired[#expired + 1] = id
  end
end
return expired
""",
    flags="allow-oom",
)

SWEPT = Script("redis.call('SET', key.counter('sweep_ms'), string.format('%d', now_ms()))")

# Race: a worker claims the match at the same moment: before, it is played; after, it is gone.
DROP = Script("""
local t, reason, dropped = ARGV[1], ARGV[2], 0
for i = 3, #ARGV do
  local id = ARGV[i]
  if redis.call('ZREM', key.ready(t), id) == 1 then
    redis.call('HSET', key.match(id), 'state', 'failed_infra', 'last_failure', reason,
      'finish_ms', string.format('%d', now_ms()))
    redis.call('HDEL', key.match(id), 'checkpoint')
    redis.call('ZADD', key.failed(t), 0, id)
    dropped = dropped + 1
  end
end
if dropped > 0 then redis.call('HINCRBY', key.tournament(t), 'dropped', dropped) end
return dropped
""")

READY_COUNT = Script(
    """
local now, count = now_ms(), 0
for _, t in ipairs(redis.call('ZRANGE', key.running(), 0, -1)) do
  count = count + redis.call('ZCOUNT', key.ready(t), '-inf', now)
end
return count
""",
    flags="no-writes",
)

WAITING = Script(
    """
local waiting = {}
for _, id in ipairs(ARGV) do
  if redis.call('HGET', key.match(id), 'state') == 'ready' then waiting[#waiting + 1] = id end
end
return waiting
""",
    flags="no-writes",
)

"""The scripts by which versions come, are qualified and change state. Each is indivisible.

Invariant, after each of them: a bot's ``active`` is the number of its one ACTIVE version, or is
missing; a version is in ``qualifying`` just when it is PENDING or QUALIFYING.
"""

from arbiter.store.link import Script

# Races: two submissions of one new bot; one owner's submissions at once, at the edge of a quota; a
# client that saw no answer sends its request again. ``submitted`` holds "NAME SIZE" for a day.
# With ARGV[15] = 1 nothing is added.
CREATE = Script("""
local bot, owner, description, skeleton = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local kind, sha, size, manifest, endpoint = ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local request = ARGV[10]
local most_bots, most_versions, most_bytes = tonumber(ARGV[11]), tonumber(ARGV[12]),
  tonumber(ARGV[13])
local day, now = tonumber(ARGV[14]), now_ms()
local is_new = redis.call('EXISTS', key.bot(bot)) == 0
local names = redis.call('ZRANGE', key.versions(bot), 0, -1, 'REV')
if is_new then
  local other = redis.call('GET', key.skeleton(skeleton))
  if other then return {'looks_alike', other} end
  if most_bots > 0 and redis.call('SCARD', key.owned(owner)) >= most_bots then
    return {'bots', '0'}
  end
elseif (redis.call('HGET', key.bot(bot), 'owner') or '') ~= owner then
  return {'not_owner', bot}
end
for _, name in ipairs(names) do
  local known = redis.call('HMGET', key.version(name), 'request', 'sha256', 'state')
  if request ~= '' and known[1] == request then return {'repeated', name} end
  if sha ~= '' and known[2] == sha and known[3] ~= 'rejected' then return {'same', name} end
end
local mine = key.submitted(owner)
redis.call('ZREMRANGEBYSCORE', mine, '-inf', now - day)
local recent = redis.call('ZRANGE', mine, 0, -1, 'WITHSCORES')
if most_versions > 0 and #recent / 2 >= most_versions then
  return {'versions', string.format('%d', recent[2] + day - now)}
end
local bytes = tonumber(size)
for i = 1, #recent, 2 do bytes = bytes + tonumber(string.match(recent[i], ' (%d+)$')) end
if most_bytes > 0 and bytes > most_bytes then
  -- When enough of the oldest has left the window; never, if this one alone is too much.
  for i = 1, #recent, 2 do
    bytes = bytes - tonumber(string.match(recent[i], ' (%d+)$'))
    if bytes <= most_bytes then
      return {'bytes', string.format('%d', recent[i + 1] + day - now)}
    end
  end
  return {'bytes', '0'}
end
if ARGV[15] == '1' then return {'checked', ''} end
local stamp = string.format('%d', now)
if is_new then
  redis.call('HSET', key.bot(bot), 'house', '0', 'description', description, 'request', '',
    'endpoint', '', 'create_ms', stamp, 'sdk', '', 'owner', owner)
  redis.call('ZADD', key.bots(), 0, bot)
  redis.call('SET', key.skeleton(skeleton), bot)
  if owner ~= '' then redis.call('SADD', key.owned(owner), bot) end
end
local count = redis.call('HINCRBY', key.bot(bot), 'versions', 1)
local name = bot .. '@' .. count
redis.call('HSET', key.version(name), 'kind', kind, 'owner', owner, 'state', 'pending',
  'reason', '', 'sha256', sha, 'size', size, 'manifest', manifest, 'endpoint', endpoint,
  'create_ms', stamp, 'state_ms', stamp, 'request', request)
redis.call('ZADD', key.versions(bot), count, name)
redis.call('ZADD', key.qualifying(), now, name)
redis.call('ZADD', mine, now, name .. ' ' .. size)
return {'created', name}
""")

# Races: two workers claim at once; the second finds the first's in the future. A worker died with
# its claim: the version is still in the queue, and its time comes again. One that dials in and is
# not here is looked at again later, and does not hold up those behind it.
CLAIM = Script("""
local lease_ms, most, now = tonumber(ARGV[1]), tonumber(ARGV[2]), now_ms()
for _, name in ipairs(redis.call('ZRANGE', key.qualifying(), '-inf', now, 'BYSCORE',
    'LIMIT', 0, 64)) do
  local version = key.version(name)
  local found = redis.call('HMGET', version, 'kind', 'state', 'lease', 'attempts')
  local attempts = tonumber(found[4] or 0)
  if found[1] == 'connect' and redis.call('EXISTS', key.online(name)) == 0 then
    redis.call('HSET', version, 'state', 'pending', 'reason', 'waits for the bot to connect')
    redis.call('ZADD', key.qualifying(), now + 1000, name)
  elseif attempts >= most then
    redis.call('HSET', version, 'state', 'rejected', 'state_ms', string.format('%d', now),
      'reason', 'the worker that ran it died, ' .. attempts .. ' times')
    redis.call('HDEL', version, 'lease')
    redis.call('ZREM', key.qualifying(), name)
  else
    local lease = string.format('%d', redis.call('INCR', key.counter('fence')))
    redis.call('HSET', version, 'state', 'qualifying', 'lease', lease, 'reason', '',
      'attempts', attempts + 1, 'state_ms', string.format('%d', now))
    redis.call('ZADD', key.qualifying(), now + lease_ms, name)
    return {name, lease, attempts + 1}
  end
end
return {}
""")

# Race: the claim ran out and another has it; only the lease tells.
KEEP = Script(
    """
local name, lease, lease_ms = ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('HGET', key.version(name), 'lease') ~= lease then return 0 end
redis.call('ZADD', key.qualifying(), now_ms() + lease_ms, name)
return 1
""",
    flags="allow-oom",
)

POSTPONE = Script("""
local name, lease, delay_ms, reason = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4]
local version = key.version(name)
if redis.call('HGET', version, 'lease') ~= lease then return 0 end
redis.call('HDEL', version, 'lease')
redis.call('HINCRBY', version, 'attempts', -1)
redis.call('HSET', version, 'state', 'pending', 'reason', reason)
redis.call('ZADD', key.qualifying(), now_ms() + delay_ms, name)
return 1
""")

WAITING = Script(
    "return redis.call('ZCOUNT', key.qualifying(), '-inf', now_ms())", flags="no-writes"
)

# Races: a version qualifies while its owner retires it (the claim is lost), or after a newer one
# has (it is replaced, not the newer one); an owner activates one while another qualifies.
SET_STATE = Script("""
local name, to, reason, lease = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local version, stamp = key.version(name), string.format('%d', now_ms())
local found = redis.call('HMGET', version, 'state', 'lease', 'qualified')
local from, held, qualified = found[1], found[2], found[3] == '1'
if not from then return {'unknown', ''} end
local bot, number = string.match(name, '^(.*)@(%d+)$')
number = tonumber(number)
local active = tonumber(redis.call('HGET', key.bot(bot), 'active') or 0)
local queued = from == 'pending' or from == 'qualifying'
if lease ~= '' then
  if held ~= lease then return {'lost', from} end
  if to ~= 'active' and to ~= 'rejected' then return {'wrong', from} end
  if to == 'active' then
    redis.call('HSET', version, 'qualified', '1')
    if active > number then
      to, reason = 'replaced', bot .. '@' .. active .. ' is active'
    end
  end
elseif from == to then
  return {'done', from}
elseif to == 'active' then
  if from ~= 'replaced' and from ~= 'retired' and from ~= 'benched' then return {'wrong', from} end
  if not qualified then
    to = 'pending'
    redis.call('ZADD', key.qualifying(), stamp, name)
    redis.call('HDEL', version, 'attempts')
  end
elseif to == 'retired' then
  if from == 'rejected' then return {'wrong', from} end
elseif to ~= 'benched' or from ~= 'active' then
  return {'wrong', from}
end
redis.call('HSET', version, 'state', to, 'reason', reason, 'state_ms', stamp)
redis.call('HDEL', version, 'lease')
if queued then redis.call('ZREM', key.qualifying(), name) end
if to == 'active' then
  redis.call('HDEL', version, 'failures', 'counted')
  if active > 0 and active ~= number then
    redis.call('HSET', key.version(bot .. '@' .. active), 'state', 'replaced',
      'reason', name .. ' is active', 'state_ms', stamp)
  end
  redis.call('HSET', key.bot(bot), 'active', number)
elseif active == number then
  redis.call('HDEL', key.bot(bot), 'active')
end
return {'done', to}
""")

# Races: two workers tell of one match (counted once: the matches of the present row of failures
# are remembered); a match ends while the version is replaced: it plays on where it is entered, and
# may be benched there; the new active one stays.
BENCH_COUNT = Script("""
local name, match, failed, most = ARGV[1], ARGV[2], ARGV[3] == '1', tonumber(ARGV[4])
local version = key.version(name)
local found = redis.call('HMGET', version, 'state', 'counted')
if found[1] ~= 'active' and found[1] ~= 'replaced' then return 0 end
if not failed then
  redis.call('HDEL', version, 'failures', 'counted')
  return 0
end
local counted = found[2] or ' '
if string.find(counted, ' ' .. match .. ' ', 1, true) then return 0 end
local failures = redis.call('HINCRBY', version, 'failures', 1)
redis.call('HSET', version, 'counted', counted .. match .. ' ')
if most == 0 or failures < most then return 0 end
local bot = string.match(name, '^(.*)@%d+$')
redis.call('HSET', version, 'state', 'benched', 'state_ms', string.format('%d', now_ms()),
  'reason', failures .. ' failed matches in a row, the last one ' .. match)
redis.call('HDEL', version, 'counted')
if found[1] == 'active' then redis.call('HDEL', key.bot(bot), 'active') end
return 1
""")

# Race: logs of several matches at once, at the cap.
PUT_LOG = Script("""
local name, match, log, most = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
if redis.call('EXISTS', key.version(name)) == 0 then return end
redis.call('ZADD', key.vlogs(name), redis.call('HINCRBY', key.version(name), 'logs', 1), match)
redis.call('HSET', key.vlog(name), match, log)
for _, old in ipairs(redis.call('ZRANGE', key.vlogs(name), 0, -most - 1)) do
  redis.call('ZREM', key.vlogs(name), old)
  redis.call('HDEL', key.vlog(name), old)
end
""")

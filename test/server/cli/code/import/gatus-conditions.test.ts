import { expect, test } from 'vitest'
import { importTarget, PAGE, type Verdict } from '#test/support/cli/import-target.ts'

// One condition of Gatus against one body.

const judged = importTarget()

test.each<[condition: string, body: string, verdict: Verdict]>([
  // What is missing or no JSON is invalid: it equals nothing, and counts as 0.
  ['[BODY].count > 0', '{}', 'fail'],
  ['[BODY].count > 0', PAGE, 'fail'],
  ['[BODY].count > 0', '', 'fail'],
  ['[BODY].count > 0', '{"count": 1}', 'pass'],
  ['[BODY].count > 0', '{"count": 0.5}', 'fail'],
  ['[BODY].count > -1', '{"count": -0.5}', 'pass'],
  ['[BODY].count <= 5', '{"count": 5.9}', 'pass'],
  ['[BODY].count < 5', '{}', 'stricter'],
  ['[BODY].count > 0', '{"count": "1"}', 'stricter'],
  ['0 < [BODY].count', '{"count": 1}', 'pass'],
  ['0 < [BODY].count', '{"count": 0}', 'fail'],
  ['[BODY].x == null', '{}', 'fail'],
  ['[BODY].x == null', '{"x": null}', 'fail'],
  ['[BODY].x != 5', '{}', 'pass'],
  ['[BODY].x != 5', PAGE, 'stricter'],
  // Numbers and their texts are equal.
  ['[BODY].errors != 5', '{"errors": "5"}', 'fail'],
  ['[BODY].errors != 5', '{"errors": 5}', 'fail'],
  ['[BODY].id == 42', '{"id": "42"}', 'pass'],
  ['[BODY].id == 42', '{"id": 42}', 'pass'],
  ['[BODY].id == 42', '{"id": 43}', 'fail'],
  ['[BODY].version == 4.50', '{"version": 4.5}', 'fail'],
  ['[BODY].version == 4.50', '{"version": "4.50"}', 'pass'],
  ['[BODY].id == 9007199254740993', '{"id": "9007199254740993"}', 'pass'],
  ['[BODY].id == 9007199254740993', '{"id": 9007199254740992}', 'fail'],
  ['[BODY].ok == true', '{"ok": true}', 'pass'],
  ['[BODY].ok == true', '{"ok": 1}', 'fail'],
  ['[BODY].ok == any(yes, true)', '{"ok": true}', 'pass'],
  ['[BODY].ok != any(no, 0)', '{"ok": 0}', 'fail'],
  // Lengths.
  ['len([BODY].missing) > 0', '{}', 'fail'],
  ['len([BODY].name) == 8', '{"name": "warships"}', 'pass'],
  ['len([BODY].name) == 8', '{"name": "warship"}', 'fail'],
  ['len([BODY].name) < 8', '{"name": "ääää"}', 'fail'],
  ['len([BODY].name) != 4', '{"name": "ää"}', 'fail'],
  ['len([BODY].name) != 4', '{"name": "abc"}', 'pass'],
  ['len([BODY].name) != 4', '{}', 'pass'],
  ['len([BODY]) == 2', '[1, 2]', 'pass'],
  ['len([BODY].name) > 0', '{"name": 7}', 'stricter'],
  ['has([BODY].a.b) == true', '{"a": {"b": 0}}', 'pass'],
  ['has([BODY].a.b) == true', '{"a": {}}', 'fail'],
  ['has([BODY].a.b) != true', '{"a": {"b": 0}}', 'fail'],
  // Patterns, and the body as it was sent.
  ['[BODY] != pat(*"status": "DOWN"*)', '{"status": "DOWN"}', 'fail'],
  ['[BODY] != pat(*"note": "all, or: nothing"*)', '{"note": "all, or: nothing"}', 'fail'],
  ['[BODY] != pat(*all, or: nothing*)', '{"note": "all, or: nothing"}', 'fail'],
  ['[BODY] != pat(*"price": 10.00*)', '{"price": 10.00}', 'fail'],
  ['[BODY] == pat(*"price": 10.00*)', '{"price": 10.00}', 'pass'],
  ['[BODY] == pat(*Welcome*)', PAGE, 'pass'],
  ['[BODY].name == pat(eu-?-*)', '{"name": "eu-1-a"}', 'pass'],
  ['[BODY].name == pat(eu-?-*)', '{"name": "eu-12"}', 'fail'],
  ['[BODY].name != pat(eu.*)', '{"name": "eu.a"}', 'fail'],
  ['[BODY].name != pat(eu.*)', '{"name": ["eu.a"]}', 'stricter'],
  ['[BODY].name == "quoted"', '{"name": "quoted"}', 'fail'],
  ['[BODY] == OK', 'OK', 'pass'],
  ['[BODY] == OK', '"OK"', 'fail'],
  ['[BODY] == OK', 'OK\n', 'stricter'],
  ['[BODY] == 42', '42\n', 'pass'],
  ['[BODY] != OK', ' OK\n', 'fail'],
  // Durations, dollar signs and statuses.
  ['[RESPONSE_TIME] < 2s', '{}', 'pass'],
  ['[RESPONSE_TIME] < 10ms', '{}', 'fail'],
  ['[BODY].age < 1m30s', '{"age": 90000}', 'fail'],
  ['[BODY].price == $$5', '{"price": "$5"}', 'pass'],
  ['[BODY].price == $$name', '{"price": "$name"}', 'pass'],
  ['[STATUS] == pat(2?0)', '{}', 'pass'],
  ['[STATUS] == pat(3*)', '{}', 'fail'],
  ['[STATUS] != any(200, 204)', '{}', 'fail'],
])('%s on %s: %s', async (condition, body, verdict) => {
  const endpoint = { name: 'a', url: 'https://shop.example.com', conditions: [condition] }
  const { passes, notes, isActive } = await judged('gatus', { endpoints: [endpoint] }, body)
  expect([passes, isActive]).toEqual([verdict === 'pass', true])
  if (verdict === 'stricter') expect(notes.map(({ what }) => what)).toEqual([`the condition ${condition}`])
})

test.each([
  '[BODY] == pat(a*b)',
  '[BODY].name == pat([ab]*)',
  '[BODY].a == [BODY].b',
  '[BODY].name == $NAME',
  '[BODY].list == [a b]',
  '[IP] == 127.0.0.1',
  '[DOMAIN_EXPIRATION] > 720h',
  '[STATUS]==200',
])('%s cannot be kept, and switches the check off', async (condition) => {
  const endpoint = { name: 'a', url: 'https://shop.example.com', conditions: ['[STATUS] == 200', condition] }
  const { notes, isActive } = await judged('gatus', { endpoints: [endpoint] }, '')
  expect(isActive).toBe(false)
  const found = notes.filter(({ check }) => check === 'a').map(({ what }) => what)
  expect(found).toEqual([`the condition ${condition}`, 'the schedule'])
})

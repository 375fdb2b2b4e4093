import { expect, test } from 'vitest'
import { paceOf, RULES } from '#app/client/live/topics.ts'
import { appRouter } from '#server/router.ts'
import { bucketOf, topics } from '#server/schemas/live/topics.ts'

const SERVICE = '01990000-0000-7000-8000-000000000001'
const OTHER = '01990000-0000-7000-8000-000000000002'
const RESULT = '01990000-0000-7000-8000-000000000003'

test('every rule is about queries that exist', () => {
  const paths = Object.keys(appRouter._def.procedures)
  const unused = Object.keys(RULES).filter((prefix) => !paths.some((path) => path.startsWith(prefix)))
  expect(unused).toEqual([])
})

test('the two services are in different buckets', () => {
  expect(bucketOf(SERVICE)).not.toBe(bucketOf(OTHER))
})

test.each([
  ['a run of the service', 'services.get', { id: SERVICE }, topics.run(SERVICE), 'fast'],
  ['a run of another service', 'services.get', { id: SERVICE }, topics.run(OTHER), null],
  ['runs of many services', 'services.get', { id: SERVICE }, 'run', 'fast'],
  ['an incident', 'services.get', { id: SERVICE }, 'event', 'fast'],
  ['a run', 'services.list', { projectId: OTHER }, topics.run(SERVICE), 'slow'],
  ['a new state', 'services.list', { projectId: OTHER }, topics.state(SERVICE), 'fast'],
  ['a run', 'results.list', { id: SERVICE, page: 1 }, topics.run(SERVICE), 'fast'],
  ['a run', 'results.body', { id: SERVICE, resultId: OTHER }, topics.run(SERVICE), null],
  ['a run', 'statistics.overview', { id: SERVICE, window: '24h' }, topics.run(SERVICE), 'slow'],
  ['a run', 'members.list', {}, topics.run(SERVICE), null],
  ['a write', 'members.list', {}, topics.write('member'), 'fast'],
  ['a sign-in', 'members.list', {}, topics.write('session'), null],
  ['a sign-in', 'account.sessions.list', {}, topics.write('session'), 'fast'],
  ['a write', 'auth.me', null, topics.write('service'), null],
  ['a write', 'auth.me', null, topics.write('group'), 'fast'],
  ['a delivery', 'organization.webhooks.deliveries.list', { id: OTHER }, topics.message, 'fast'],
  ['an incident', 'incidents.get', { id: OTHER }, topics.event, 'fast'],
  ['a run', 'agents.lost', { serviceId: SERVICE }, topics.run(SERVICE), 'slow'],
  ['a run', 'agents.list', null, topics.run(SERVICE), null],
  ['a run', 'agents.lone', null, topics.run(SERVICE), null],
  ['a run', 'a.query.of.tomorrow', null, topics.run(SERVICE), 'slow'],
])('%s makes %s out of date: %s %s', (_, path, input, topic, pace) => {
  expect(paceOf([path, input], [topic])).toBe(pace)
})

test.each([
  ['a failed one without a recheck', { status: 'failure', recheckOf: null, recheckedBy: null }, 'fast'],
  ['one that timed out, without a recheck', { status: 'timeout', recheckOf: null, recheckedBy: null }, 'fast'],
  ['a failed one with its recheck', { status: 'failure', recheckOf: null, recheckedBy: OTHER }, null],
  ['a recheck', { status: 'failure', recheckOf: OTHER, recheckedBy: null }, null],
  ['one that passed', { status: 'success', recheckOf: null, recheckedBy: null }, null],
  ['one that is not read yet', undefined, 'fast'],
])('a run of the service makes a result out of date: %s', (_, data, pace) => {
  const key = ['results.get', { id: SERVICE, resultId: RESULT }]
  expect(paceOf(key, [topics.run(SERVICE)], data)).toBe(pace)
  expect(paceOf(key, [topics.run(OTHER)], data)).toBe(null)
})

test('when anything may have changed, every query is fetched again', () => {
  expect(paceOf(['results.get', { id: SERVICE }], null)).toBe('fast')
})

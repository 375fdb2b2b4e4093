import { expect, test } from 'vitest'
import {
  judgeAcknowledgement,
  judgeAgents,
  judgeLabels,
  judgeMove,
  judgeSchedule,
  judgeSwitch,
  namesText,
  planOf,
  type Selected,
} from '#app/components/bulk/plan.ts'

// What a bulk dialog says before it changes anything.

const service = (name: string, own: Partial<Selected> = {}): Selected => ({
  ...{ id: name, name, projectId: 'shop', isActive: true, labels: [], agents: [], schedule: '*/5 * * * *' },
  ...{ timezone: null, incident: null, workspaceName: 'Shop', projectName: 'Web' },
  ...own,
})

test('a plan says from what to what, and why services are left out', () => {
  const cart = service('Cart', { isActive: false })
  expect(planOf([cart, service('Login')], judgeSwitch(true))).toEqual({
    changes: [{ name: 'Cart', from: 'off', to: 'on' }],
    leftOut: [{ name: 'Login', reason: 'is on already' }],
  })
})

test('labels are added, removed or replaced', () => {
  const both = service('Cart', { labels: ['critical', 'eu'] })
  expect(judgeLabels({ mode: 'add', labels: ['eu', 'web'] })(both)).toEqual({
    ...{ from: 'critical, eu', to: 'critical, eu, web' },
  })
  expect(judgeLabels({ mode: 'add', labels: ['eu'] })(both)).toEqual({ reason: 'has them already' })
  expect(judgeLabels({ mode: 'remove', labels: ['critical'] })(both)).toEqual({ from: 'critical, eu', to: 'eu' })
  expect(judgeLabels({ mode: 'remove', labels: ['web'] })(both)).toEqual({ reason: 'has none of them' })
  expect(judgeLabels({ mode: 'set', labels: [] })(both)).toEqual({ from: 'critical, eu', to: 'no label' })
  const full = service('Full', { labels: Array.from({ length: 10 }, (_, at) => `l${at}`) })
  expect(judgeLabels({ mode: 'add', labels: ['web'] })(full)).toEqual({ reason: 'would have more than 10 labels' })
})

test('a schedule keeps the zone of each service, unless one is given', () => {
  const berlin = service('Cart', { timezone: 'Europe/Berlin' })
  expect(judgeSchedule('0 6 * * *', '')(berlin)).toEqual({
    ...{ from: '*/5 * * * * Europe/Berlin', to: '0 6 * * * Europe/Berlin' },
  })
  expect(judgeSchedule('*/5 * * * *', '')(berlin)).toEqual({ reason: 'has it already' })
  expect(judgeSchedule('*/5 * * * *', 'UTC')(berlin)).toEqual({
    ...{ from: '*/5 * * * * Europe/Berlin', to: '*/5 * * * *' },
  })
})

test('agents, places and acknowledgements are compared with what is there', () => {
  expect(judgeAgents(['oslo'])(service('Cart'))).toEqual({ from: 'any shared agent', to: 'oslo' })
  expect(judgeAgents(['porto', 'oslo'])(service('Cart', { agents: ['oslo', 'porto'] }))).toEqual({
    reason: 'has them already',
  })
  expect(judgeMove({ id: 'pay', place: 'Shop / Pay' })(service('Cart'))).toEqual({
    ...{ from: 'Shop / Web', to: 'Shop / Pay' },
  })
  expect(judgeMove({ id: 'shop', place: 'Shop / Web' })(service('Cart'))).toEqual({ reason: 'is there already' })
  const incident = { id: 'i', acknowledgedAt: null, acknowledgedBy: null }
  expect(judgeAcknowledgement(service('Cart'))).toEqual({ reason: 'has no open incident' })
  expect(judgeAcknowledgement(service('Cart', { incident }))).toEqual({
    ...{ from: 'not acknowledged', to: 'acknowledged by you' },
  })
  const taken = { ...incident, acknowledgedAt: '2026-11-28T07:00:00Z', acknowledgedBy: 'Ana Lima' }
  expect(judgeAcknowledgement(service('Cart', { incident: taken }))).toEqual({ reason: 'is acknowledged by Ana Lima' })
})

test('many names are cut to five', () => {
  expect(namesText(['a', 'b'])).toBe('a, b')
  expect(namesText(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e and 2 more')
})

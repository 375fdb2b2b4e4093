import { expect, test } from 'vitest'
import { fieldChanges, otherDetails } from '#server/schemas/audit/details.ts'
import { actionLabel, sentenceOf } from '#server/schemas/audit/sentence.ts'
import { ACTION_WORDS } from '#server/schemas/audit/words.ts'
import { sources } from '#test/support/code/sources.ts'

const ANA = { name: 'Ana', email: 'ana@acme.test' }

/** Returns the sentence as the dashboard shows it. */
function written(action: string, entityName: string | null, details = {}, actor: typeof ANA | null = ANA): string {
  const { who, text, name, after } = sentenceOf({ action, entityName, actor, details })
  return [who, text, name, after].filter(Boolean).join(' ')
}

test.each([
  ['service.create', 'Checkout', {}, 'Ana created the service Checkout'],
  ['service.update', 'Checkout', { schedule: { from: 'a', to: 'b' } }, 'Ana changed the schedule of Checkout'],
  [
    'service.update',
    'Checkout',
    { label: { from: null, to: 'x' }, schedule: { from: 'a', to: 'b' }, serviceWindow: { from: 'a', to: null } },
    'Ana changed the label, schedule and maintenance window of Checkout',
  ],
  ['service.update', 'Checkout', { changed: false }, 'Ana saved without a change: Checkout'],
  ['service.script', 'Checkout', { version: 4 }, 'Ana saved version 4 of the script of Checkout'],
  [
    'service.script',
    'Checkout',
    { version: 5, restoredFrom: 2 },
    'Ana restored version 2 as version 5 of the script of Checkout',
  ],
  ['service.disable', 'Checkout', {}, 'Ana switched off Checkout'],
  ['project.rename', 'New', { from: 'Old', to: 'New' }, 'Ana renamed the project Old to New'],
  [
    'workspace.toggle_services',
    'Shop',
    { isActive: false, changed: 3 },
    'Ana switched off 3 services of the workspace Shop',
  ],
  [
    'access.set',
    'Checkout',
    { principalName: 'Grace', permissions: 'write' },
    'Ana gave Grace write access to Checkout',
  ],
  [
    'access.set',
    'Checkout',
    { principalName: 'Grace', permissions: { from: null, to: 'read' } },
    'Ana gave Grace read access to Checkout',
  ],
  [
    'group.update',
    'Developers',
    { permissions: { from: { users: 'none' }, to: { users: 'read' } } },
    'Ana changed the permissions of the group Developers',
  ],
  [
    'webhook.update',
    'Pager',
    { label: { from: null, to: 'x' }, hidden: ['url', 'apiKey'] },
    'Ana changed the label, URL and API key of the webhook Pager',
  ],
  ['service.move', 'Checkout', { project: 'Search' }, 'Ana moved the service Checkout to Search'],
  ['variable.create', 'token', { resourceName: 'Checkout' }, 'Ana created the variable token of Checkout'],
  ['session.create', null, {}, 'Ana signed in'],
  ['account.update', 'ana@acme.test', { from: 'A', to: 'Ana' }, 'Ana changed their name to Ana'],
  ['future.thing', 'Checkout', {}, 'Ana future thing: Checkout'],
])('%s of %s with %j reads: %s', (action, name, details, sentence) => {
  expect(written(action, name, details)).toBe(sentence)
})

test('names who did it: a member without a name, the system, or someone', () => {
  expect(written('service.run', 'Checkout', {}, { ...ANA, name: '' })).toBe('ana@acme.test requested a run of Checkout')
  expect(written('domain.lapse', 'acme.test', {}, null)).toMatch(/^The system no longer finds/)
  expect(written('session.refuse', 'ana@acme.test', {}, null)).toBe('Someone failed to sign in as ana@acme.test')
})

test('every action that the code records has words', () => {
  const recorded = sources(['server', 'worker']).flatMap(({ text }) =>
    [...text.matchAll(/action: '([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action as string),
  )
  expect(recorded.length).toBeGreaterThan(40)
  expect(recorded.filter((action) => !(action in ACTION_WORDS))).toEqual([])
})

test('labels for the filter are unique and end with a noun', () => {
  const labels = Object.keys(ACTION_WORDS).map(actionLabel)
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([])
  expect(labels.filter((label) => / (of|to|for|as)$/.test(label))).toEqual([])
})

test('shows fields before and after, other details, and no ids', () => {
  const details = {
    schedule: { from: '* * * * *', to: null },
    permissions: { users: 'read', settings: 'write' },
    hidden: ['url', 'headers'],
    isActive: true,
    projectId: '019aa0f0-2345-7abc-8def-0123456789ab',
    diff: '+a',
  }
  expect(fieldChanges(details)).toEqual([{ field: 'schedule', from: '* * * * *', to: '' }])
  expect(otherDetails(details)).toEqual([
    { field: 'permissions', value: 'users: read, settings: write' },
    { field: 'hidden', value: 'url, headers' },
    { field: 'isActive', value: 'on' },
  ])
  const levels = { permissions: { from: { users: 'none' }, to: { users: 'read' } } }
  expect(fieldChanges(levels)).toEqual([{ field: 'permissions', from: 'users: none', to: 'users: read' }])
  expect(fieldChanges({ from: 'Old', to: 'New' })).toEqual([{ field: 'name', from: 'Old', to: 'New' }])
})

import { beforeAll, describe, expect, test } from 'vitest'
import { digestMail } from '#server/alerts/mail/digest-content.ts'
import { unlinked } from '#server/alerts/mail/text.ts'
import { sampleMessage } from '#server/alerts/webhooks/messages.ts'
import { parseSettings } from '#server/process/settings.ts'
import { Label, Name } from '#server/schemas/conventions.ts'
import { createVault } from '#server/vault.ts'
import { PASSWORD, testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import type { Organization } from '#test/support/factories.ts'
import { alertMail } from '#worker/tasks/alert-mail.ts'

const t = testDashboard()

let acme: Organization
let owner: Visitor
let workspace: { id: string }
let project: { id: string }
let service: { id: string }
beforeAll(async () => {
  acme = await t.create.organization()
  owner = await t.signIn(acme.owner)
  const above = await t.create.workspace(acme)
  workspace = above
  const within = await t.create.project(above)
  project = within
  service = await t.create.service(within)
})

/** Control characters, line breaks, and characters that nobody sees. */
const UNSEEN = [
  'a\nb',
  'a\r\nBcc: eve@example.com',
  'a\tb',
  'a\u0007b',
  'a\u0085b',
  'a\u2028b',
  'ad\u200bmin',
  'ad\u200dmin',
  'a\u202egpj.exe',
  'a\u2066b\u2069',
  'a\ufeffb',
  'soft\u00adhyphen',
  'a\u3164',
  'a\u{e0041}',
]

describe('every name and label', () => {
  const url = 'https://example.com/hook'
  const fields: [operation: string, field: string, rest: () => object][] = [
    ['workspaces.create', 'name', () => ({})],
    ['workspaces.rename', 'name', () => ({ id: workspace.id })],
    ['projects.create', 'name', () => ({ workspaceId: workspace.id })],
    ['projects.rename', 'name', () => ({ id: project.id })],
    ['services.create', 'name', () => ({ projectId: project.id })],
    ['services.create', 'label', () => ({ projectId: project.id, name: 'A' })],
    ['services.update', 'name', () => ({ id: service.id })],
    ['services.update', 'label', () => ({ id: service.id })],
    ['organization.create', 'name', () => ({})],
    ['organization.settings.update', 'name', () => ({})],
    ['organization.groups.create', 'name', () => ({ permissions: {} })],
    ['organization.webhooks.create', 'name', () => ({ url })],
    ['organization.webhooks.create', 'label', () => ({ name: 'A', url })],
    ['organization.agents.create', 'label', () => ({ slug: 'berlin' })],
    ['account.keys.create', 'name', () => ({ access: 'read', expiresInDays: null, password: PASSWORD })],
    ['account.updateProfile', 'displayName', () => ({})],
    ['auth.acceptInvitation', 'displayName', () => ({ token: 'x', password: PASSWORD })],
  ]

  test.each(fields)('of %s is on one line: %s', async (operation, field, rest) => {
    const post = (value: string) => owner.post(operation, { ...rest(), [field]: value })
    for (const value of UNSEEN) {
      expect({ value, ...(await post(value)) }).toMatchObject({
        value,
        status: 400,
        code: 'invalid_request_body',
        details: { field, reason: 'must not contain invisible characters, control characters or line breaks' },
      })
    }
    // Any other character that a language writes is valid in a name, joiners included.
    expect((await post('Größe 👩‍🔧 東京')).code ?? 'accepted').toMatch(/^(accepted|already_exists|invitation_invalid)$/)
  })
})

test.each([
  ['a family', '👨‍👩‍👧‍👦'],
  ['a skin tone and a sign', 'Ops 🕵🏽‍♂️'],
  ['a flag of a region', 'Leeds 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
  ['a keycap', 'Node 1\ufe0f\u20e3'],
  ['a heart', '❤️ Shop'],
  ['Persian', 'می\u200cخواهم'],
  ['Sinhala', 'ශ්\u200dරී ලංකා'],
])('a name with %s is accepted', (_, name) => {
  expect(Name.parse(name)).toBe(name)
})

test('a name is compared in the form NFC: one that looks the same already exists', async () => {
  const [composed, decomposed] = ['Café', 'Cafe\u0301']
  for (const [operation, rest] of [
    ['workspaces.create', {}],
    ['projects.create', { workspaceId: workspace.id }],
    ['services.create', { projectId: project.id }],
    ['organization.groups.create', { permissions: {} }],
    ['organization.webhooks.create', { url: 'https://example.com/hook' }],
  ] as const) {
    const made = await owner.post<{ name: string }>(operation, { ...rest, name: decomposed })
    expect({ operation, name: made.data?.name }).toEqual({ operation, name: composed })
    expect({ operation, ...(await owner.post(operation, { ...rest, name: composed })) }).toMatchObject({
      operation,
      code: 'already_exists',
    })
  }
  expect(Label.parse('de\u0301but')).toBe('début')
})

test.each([
  ['half a surrogate pair', 'a\ud83d'],
  ['a joiner after an emoji', '👩\u200d'],
  ['a joiner before a Latin letter', '👩\u200da'],
  ['tags behind an emoji', '👩\u{e0061}\u{e0062}\u{e0063}\u{e007f}'],
  ['two joiners', 'می\u200c\u200cخواهم'],
  ['a joiner at the end', 'می\u200c'],
  ['blanks alone', ' \u3000\u00a0'],
])('a name with %s is refused', (_, name) => {
  expect(Name.safeParse(name).success).toBe(false)
})

describe('a name in a mail', () => {
  // Patterns of links, wider than those of any mail client.
  const LINKS = [
    /\b[a-z][a-z0-9+.-]*:\/\/\S/i,
    /\bwww\.\S/i,
    /\b(mailto|javascript|data):\S/i,
    /[\p{L}\p{N}_-]+\.[\p{L}\p{N}-]{2,}/u,
    /[^\s@]+@[\p{L}\p{N}-]+/u,
    /\b\d{1,3}(\.\d{1,3}){3}\b/,
    /\p{L}\/\p{L}/u,
  ]

  test.each([
    'evil.example/login',
    'https://evil.example',
    'HTTP://evil.example:8080/a?b#c',
    'www.evil.example',
    'mailto:eve@evil.example',
    'eve@evil.example',
    'bücher.example',
    '//evil.example',
    '10.0.0.1/x',
    'Acme (evil.example)',
    'javascript:alert(1)',
  ])('%s is no link', (name) => {
    const shown = unlinked(name)
    for (const link of LINKS) expect(shown).not.toMatch(link)
    // The stored name is unchanged.
    expect(shown.replaceAll('\u200b', '')).toBe(name)
  })

  test('of a service is none in an alert either', () => {
    const message = sampleMessage({ id: '', name: '' })
    const named = (name: string) => ({ id: 'x', name })
    const data = {
      ...message.data,
      workspace: named('www.evil.example'),
      project: named('https://evil.example'),
      service: named('evil.example/login'),
    }
    const mail = alertMail(
      { settings: parseSettings({}), vault: createVault([{ id: 'test', secret: 's'.repeat(32) }]) },
      {
        recipient: {
          organizationId: 'o',
          membershipId: 'm',
          email: 'mia@example.com',
          timezone: 'UTC',
          heardThrough: [
            { kind: 'group', group: 'evil.example', resourceType: 'service', resourceName: 'evil.example/login' },
          ],
        },
        thread: { mailId: 'x', repliesTo: null },
        stoppable: { target: { type: 'agents' }, name: '' },
      },
      (to) =>
        digestMail(
          { messages: [{ ...message, type: 'service.failed', data }], counts: new Map(), isQuietEnd: false },
          to,
        ),
    )
    expect(mail.subject).toContain('evil')
    expect(`${mail.subject}\n${mail.text}\n${mail.html}`).not.toMatch(/evil\.|www\.|https:\/\/evil/)
    expect(mail.text).toContain('GET https://service.example/')
  })

  test('that is not a link is unchanged and ends no line', () => {
    for (const name of ['Acme', 'Dr. No & Sons', 'A / B', 'Größe 👩‍🔧']) expect(unlinked(name)).toBe(name)
    expect(unlinked('Acme\r\nBcc: eve\u2028  x\u0000')).toBe('Acme Bcc: eve x')
  })
})

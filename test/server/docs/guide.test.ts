import { describe, expect, test } from 'vitest'
import { everyPage, findPage } from '#app/docs/books.ts'
import { findDocument, llmsText } from '#app/docs/documents.ts'
import { anchorOf } from '#app/docs/markdown/anchors.ts'

import { type Chapter, chapterText, parseChapter } from '#app/docs/markdown/chapter.ts'

import { findOperation, operationGroups } from '#app/docs/reference/document.ts'
import { createRouteTable } from '#server/fronts/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { ERRORS, PUBLIC_ERROR_CODES } from '#server/schemas/errors/error-table.ts'
import { ROWS } from '#test/support/api/permission-matrix.data.ts'

// The books on /docs, which are made from Markdown files and from the tables of the program.

/** Other sites link to these. An anchor may be added, and none may go. */
const ANCHORS: Record<string, string[]> = {
  '/docs/guide': [
    ...['pages', 'keys', 'permissions', 'limits', 'retries', 'errors', 'codes', 'paging', 'versions'],
    'documentation-for-programs',
  ],
  '/docs/guide/clients': [
    ...['where-to-start', 'a-typed-typescript-client', 'generators-for-other-languages', 'types-in-the-document'],
  ],
  '/docs/guide/command-line': [
    ...['run-the-services-of-a-project', 'install-it-on-your-computer', 'choose-what-runs', 'exit-codes'],
    ...['requests-and-limits', 'other-commands', 'updates'],
  ],
  '/docs/guide/monitoring-as-code': [
    ...['the-folder', 'apply-a-folder', 'values-of-secrets-and-variables', 'folders-that-you-do-not-trust'],
    'import-from-other-tools',
  ],
  '/docs/guide/runs': [
    ...[
      'request-a-run',
      'wait-for-a-run',
      'list-runs',
      'runs-on-several-agents',
      'values-of-one-run',
      'cancel-a-run',
      'batches',
      'without-polling-by-hand',
    ],
  ],
  '/docs/guide/recipes': [
    ...['github-actions', 'gitlab-ci', 'jenkins', 'shell', 'curl-alone', 'shell-script-with-jq', 'typescript'],
  ],
  '/docs/guide/results': [
    ...['statuses', 'the-steps-of-a-result', 'why-a-run-failed', 'the-page-of-a-result', 'compare-two-results'],
    ...['incidents', 'who-is-notified-of-a-failure', 'certificates'],
  ],
  '/docs/guide/services': [
    ...[
      'create-a-service-from-a-url',
      'the-request-builder',
      'labels',
      'test-runs',
      'schedule',
      'when-a-run-is-due-too-early',
      'maintenance-window',
    ],
    'where-a-service-runs',
  ],
  '/docs/guide/dashboard': [
    ...[
      'command-palette',
      'keyboard-shortcuts',
      'state-in-the-browser-tab',
      'without-a-connection',
      'time-zones',
      'who-reaches-what',
      'audit-log',
    ],
  ],
  '/docs/guide/account': ['passkeys', 'second-factor', 'recovery-codes', 'sessions'],
  '/docs/guide/status-board': [
    ...['states-of-a-service', 'when-a-service-is-unknown', 'search', 'order-columns-and-groups'],
    ...['failures-of-one-cause', 'several-services-at-once', 'uptime', 'a-screen-on-the-wall'],
  ],
  '/docs/guide/history': [
    ...['charts-and-statistics', 'list-of-runs', 'which-change-broke-a-service', 'how-long-history-is-kept'],
  ],
  '/docs/guide/incidents': [
    ...['list-incidents', 'timeline-and-notes', 'acknowledge-an-incident', 'assignee-and-severity', 'post-mortem'],
    ...['incidents-on-the-command-line', 'reminders', 'how-long-incidents-are-kept'],
    ...['from-runs-to-incidents', 'recheck', 'verdict', 'one-location-alone', 'flapping', 'examples-of-verdicts'],
  ],
  '/docs/guide/notifications': [
    ...[
      'who-is-notified',
      'follow-a-service',
      'where-alerts-go-first',
      'when-a-failure-is-confirmed',
      'alert-settings',
    ],
    ...['who-would-be-notified-now', 'a-service-without-recipients', 'lost-agents', 'alert-mails'],
    ...['one-mail-for-many-failures', 'failures-in-quiet-hours'],
  ],
  '/docs/guide/maintenance': ['a-deploy-in-one-line', 'start-a-maintenance', 'modes', 'extend-and-end'],
  '/docs/guide/silences': ['silence-a-service', 'channels', 'quiet-hours', 'types-of-events', 'links-in-mails'],
  '/docs/guide/deletions': ['what-a-deletion-does', 'restore-a-service-or-project', 'deleted-workspaces'],
  '/docs/guide/scripts': [
    'refused-scripts',
    'blocked-targets',
    'unverified-domains',
    'variables',
    'secrets-and-their-hosts',
  ],
  '/docs/guide/agents': [
    ...['enrol-an-agent', 'settings-of-an-agent', 'private-networks', 'outages-of-an-agent', 'updates-and-removal'],
    'codes-of-agents',
  ],
  '/docs/guide/metrics': ['create-a-token', 'configure-prometheus', 'series', 'examples-of-queries', 'errors'],
  '/docs/guide/mcp': ['connect-a-client', 'tools', 'rules-of-the-endpoint'],
  '/docs/guide/webhooks': [
    'what-a-webhook-is-bound-to',
    ...['messages-of-webhooks', 'delivery', 'templates', 'signatures', 'verify-with-javascript', 'verify-with-python'],
    ...['verify-with-go', 'presets-of-webhooks'],
  ],
  '/docs/language': ['pages', 'is-it-up', 'where-the-time-goes', 'strings-and-headers', 'conditions'],
  '/docs/language/examples': [
    ...['from-one-call-to-the-next', 'cookies', 'redirects', 'schemas', 'timeouts-and-retries'],
    'values-from-the-previous-run',
  ],
  '/docs/language/reference': ['in-short', 'conditions-and-values', 'requests-and-responses', 'words'],
  '/docs/language/bounds': ['of-a-script', 'of-requests-and-responses', 'of-a-run', 'of-a-result'],
  '/docs/language/tools': ['in-the-dashboard', 'unsaved-text', 'on-the-command-line'],
}

const pages = everyPage()
const routes = createRouteTable(appRouter).routes

describe('the books', () => {
  test('has every anchor that is linked from elsewhere', () => {
    // The pages of operators have a test of their own.
    const others = pages.filter(({ path }) => !path.startsWith('/docs/operate'))
    expect(Object.fromEntries(others.map(({ path, chapter }) => [path, sectionAnchors(chapter)]))).toEqual(ANCHORS)
  })

  test('has no anchor twice on a page', () => {
    for (const { chapter } of pages) {
      const anchors = allAnchors(chapter)
      expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
    }
  })

  test('explains every code at the address that errors link to', () => {
    const anchors = allAnchors(findPage('guide', 'guide')?.chapter as Chapter)
    const missing = PUBLIC_ERROR_CODES.filter((code) => !anchors.includes(`code-${code}`))
    expect(PUBLIC_ERROR_CODES.length).toBeGreaterThan(35)
    expect(missing).toEqual([])
  })

  test('names only codes that there are', () => {
    const text = pages.map(({ chapter }) => chapterText(chapter)).join('\n')
    const named = [...text.matchAll(/\b[45]\d\d `([a-z_]+)`/g)].map(([, code]) => code as string)
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((code) => !(code in ERRORS))).toEqual([])
  })

  test('links only to pages and anchors that there are', () => {
    const targets = new Map(pages.map(({ path, chapter }) => [path, allAnchors(chapter)]))
    const wrong = pages.flatMap(({ path, chapter }) =>
      [...chapterText(chapter).matchAll(/\]\((\/docs[^)]*)\)/g)]
        .map(([, href]) => href as string)
        .filter((href) => !leadsSomewhere(href, targets))
        .map((href) => `${path} ${href}`),
    )
    expect(wrong).toEqual([])
  })
})

describe('Markdown for programs', () => {
  const operations = operationGroups().flatMap((group) => group.operations)
  const addresses = ['/docs', ...pages.map(({ path }) => path), ...operations.map(({ id }) => `/docs/operations/${id}`)]

  test('exists for every page, and leads to other pages as Markdown', () => {
    for (const address of addresses) {
      const text = findDocument(address) ?? ''
      expect(text, address).toMatch(/^# \S/)
      const links = [...text.matchAll(/\]\((\/docs[^)#]*)/g)].map(([, href]) => href as string)
      expect(
        links.filter((href) => findDocument(href.replace(/\.md$/, '')) === null || !href.endsWith('.md')),
        address,
      ).toEqual([])
    }
  })

  test.each(['/docs/guide/guide', '/docs/guide/unknown', '/docs/operations/constructor', '/docs/guide.md', '/'])(
    'does not exist at %s',
    (address) => expect(findDocument(address)).toBeNull(),
  )

  test('of an operation has its parameters, body, responses and errors', () => {
    const text = findDocument('/docs/operations/createService') ?? ''
    for (const part of [
      '`POST /api/public/v1/services`',
      '## Body',
      '`projectId`',
      '## Response 200',
      '`already_exists`',
    ])
      expect(text).toContain(part)
  })

  test('is listed in llms.txt', () => {
    const text = llmsText('https://soundline.example.com')
    expect(addresses.filter((address) => !text.includes(`(https://soundline.example.com${address}.md)`))).toEqual([])
  })
})

test('every operation declares the permission that the matrix checks', () => {
  const declared = Object.fromEntries(
    routes.map(({ operationId, needs: { section, on = [], level } }) => [operationId, { section, on: [...on], level }]),
  )
  const rows = Object.entries(ROWS).map(([operationId, { section, on, level }]) => {
    // A list of everything, and what belongs to the organization, need no resource.
    const kinds = [on].flat().filter((kind) => !['all', 'organizationVariable', 'binding'].includes(kind))
    return [operationId, { section, on: kinds, level: kinds.length === 0 ? undefined : level }]
  })
  expect(declared).toEqual(Object.fromEntries(rows))
})

test('a page of Markdown is the same after it is split into its parts', () => {
  const text = '# Title\n\nIntro.\n\n## First part\n\nText.\n\n### Below\n\nMore.\n\n## Second\n\n- a\n- b\n'
  expect(chapterText(parseChapter(text))).toBe(text)
})

function leadsSomewhere(href: string, targets: Map<string, string[]>): boolean {
  const [path = '', anchor] = href.split('#')
  if (path === '/docs') return true
  const operation = /^\/docs\/operations\/(\w+)$/.exec(path)?.[1]
  if (operation !== undefined) return findOperation(operation) !== undefined
  return targets.has(path) && (anchor === undefined || (targets.get(path) as string[]).includes(anchor))
}

function sectionAnchors({ sections }: Chapter): string[] {
  return sections.map(({ anchor }) => anchor)
}

function allAnchors(chapter: Chapter): string[] {
  const inner = chapter.sections.flatMap(({ text }) => [...text.matchAll(/^### (.*)$/gm)].map(([, title]) => title))
  return [...sectionAnchors(chapter), ...inner.map((title) => anchorOf(title as string))]
}

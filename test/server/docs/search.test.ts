import { expect, test } from 'vitest'
import { everyPage } from '#app/docs/books.ts'
import { operationGroups } from '#app/docs/reference/document.ts'
import { SEARCH_EXAMPLES } from '#app/docs/search/examples.ts'
import { searchDocs } from '#app/docs/search/search.ts'

// The search of the documentation at /docs/search.

test.each([
  ['idempotency key', '/docs/guide#retries'],
  ['version_conflict', '/docs/guide#code-version_conflict'],
  ['exit codes', '/docs/guide/command-line#exit-codes'],
  ['quiet hours', '/docs/guide/silences#quiet-hours'],
  ['alert mails', '/docs/guide/notifications#alert-mails'],
  ['skipped', '/docs/guide/results#statuses'],
  ['size limit body', '/docs/guide#limits'],
  ['X-RateLimit-Limit', '/docs/guide#limits'],
  ['retention', '/docs/operate/limits#retention'],
  ['reset second factor', '/docs/operate/accounts#a-lost-second-factor'],
  ['nginx', '/docs/operate/processes#reverse-proxy'],
  ['remote agent', '/docs/guide/agents'],
  ['restore a backup', '/docs/operate/backups#restore-a-backup'],
  ['upgrade', '/docs/operate/upgrades'],
  ['soundline_queue_oldest_seconds', '/docs/operate/metrics#series-to-watch'],
  ['cookie jar', '/docs/language/reference#requests-and-responses'],
  ['request a run now', '/docs/operations/runService'],
  ['runService', '/docs/operations/runService'],
  ['script stays off until one is saved', '/docs/operations/createService'],
])('finds %s', (text, path) => {
  expect(
    searchDocs(text)
      .slice(0, 6)
      .map((hit) => hit.path),
  ).toContain(path)
})

test('finds each page and each operation by its title', () => {
  const titles = [
    ...everyPage().map(({ path, chapter }) => [path, chapter.title] as const),
    ...operationGroups().flatMap((group) =>
      group.operations.map(({ id, summary }) => [`/docs/operations/${id}`, summary] as const),
    ),
  ]
  const missing = titles.filter(([path, title]) => !searchDocs(title).some((hit) => hit.path === path))
  expect(missing).toEqual([])
})

test.each(SEARCH_EXAMPLES)('finds the example %s', (text) => {
  expect(searchDocs(text)).not.toEqual([])
})

test('shows the text around a word without the marks of Markdown', () => {
  const limit = searchDocs('X-RateLimit-Remaining').find(({ path }) => path === '/docs/guide#limits')
  expect(limit?.page).toBe('API guide')
  expect(limit?.excerpt).toContain('X-RateLimit-Remaining')
  expect(limit?.excerpt).not.toContain('`')
})

test.each(['', '   ', '((((', 'x'.repeat(100_000), 'nosuchword'])('finds nothing for %j', (text) => {
  expect(searchDocs(text)).toEqual([])
})

import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { buildDashboard, isSource } from '#server/process/dashboard-build.ts'
import { ROOT } from '#server/process/program.ts'

// The compressed JavaScript that each page loads at once, from the manifests of the build. What a page loads later, on
// use, is not counted.

const BUILD_LIMIT_MS = 900_000
const KILOBYTE = 1_000
const LIST_PAGE_MAX = 180
const OTHER_PAGE_MAX = 300
const LIST_PAGES = [
  /\/(\(board\)|workspaces|incidents|silences|audit|members|groups|variables|webhooks|domains|agents|body-stores|deleted|access)$/,
  /\/(\[workspaceId\]|\[projectId\]|keys)$/,
]

beforeAll(() => buildDashboard(() => {}, new AbortController().signal), BUILD_LIMIT_MS)

test('no page loads more JavaScript than its bound', () => {
  const next = join(ROOT, '.next')
  const { rootMainFiles } = JSON.parse(readFileSync(join(next, 'build-manifest.json'), 'utf8')) as Build
  const manifests = globSync('**/page_client-reference-manifest.js', { cwd: join(next, 'server', 'app') })
  const sizes = manifests.map((file) => {
    const text = readFileSync(join(next, 'server', 'app', file), 'utf8')
    const { entryJSFiles } = JSON.parse(text.slice(text.indexOf('] = ') + 4).replace(/;\s*$/, '')) as Page
    const entries = Object.entries(entryJSFiles).filter(([entry]) => !entry.endsWith('/global-error'))
    const files = new Set([...rootMainFiles, ...entries.flatMap(([, names]) => names)])
    const bytes = [...files].reduce((sum, name) => sum + statSync(join(next, `${name}.br`)).size, 0)
    const page = file.replace(/\/?page_client-reference-manifest\.js$/, '')
    const max = LIST_PAGES.some((pattern) => pattern.test(page)) ? LIST_PAGE_MAX : OTHER_PAGE_MAX
    return { page, kilobytes: Math.round(bytes / KILOBYTE), max }
  })
  expect(sizes.length).toBeGreaterThan(30)
  expect(sizes.filter(({ kilobytes, max }) => kilobytes > max)).toEqual([])
  // Every page has React and Next: a smaller sum would mean that the manifests are read wrongly.
  expect(Math.min(...sizes.map(({ kilobytes }) => kilobytes))).toBeGreaterThan(60)
})

test('types that npm run typecheck writes are no source of a build', () => {
  const files = ['server/cli/client/schema.d.ts', 'db/drizzle.d.cts', 'tsconfig.tsbuildinfo', 'server/commands/web.ts']
  expect(files.filter(isSource)).toEqual(['server/commands/web.ts'])
})

type Build = { rootMainFiles: string[] }
/** The files of the page and of its layouts, by entry. */
type Page = { entryJSFiles: Record<string, string[]> }

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { README_BYTES_MAX, README_FOLDER } from '#test/screenshots/pages.ts'

// The README, held against what it tells of. Its first probe is run by test/end-to-end/start.test.ts.

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')

test('shows two pictures with a description, links to the others of their folder, and none is large', () => {
  const shown = [...readme.matchAll(/(!?)\[([^\]]*)\]\((\S+\.png)\)/g)].map(([, mark, alt = '', file = '']) => {
    return { isPicture: mark === '!', alt, file }
  })
  const files = globSync(`${README_FOLDER}/*.png`, { cwd: ROOT })
  expect(shown.map(({ file }) => file).sort()).toEqual(files.sort())
  const pictures = shown.filter(({ isPicture }) => isPicture)
  expect(pictures).toHaveLength(2)
  expect(pictures.filter(({ alt }) => alt.length < 20)).toEqual([])
  expect(files.filter((file) => statSync(join(ROOT, file)).size > README_BYTES_MAX)).toEqual([])
})

test('names only npm scripts that there are', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const named = [...readme.matchAll(/npm (?:run )?(start|test|[a-z-]+)/g)].map(([, name]) => name as string)
  const own = ['ci', 'install', 'installs', 'script', 'scripts']
  expect(named.filter((name) => !(name in scripts) && !own.includes(name))).toEqual([])
})

test('names only files that there are', () => {
  const named = [...readme.matchAll(/(?<![\w/.-])(?:app|server|worker|db|test)\/[\w./()-]*\w/g)].map(([path]) => path)
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((path) => !path.includes('NAME') && !existsSync(join(ROOT, path)))).toEqual([])
})

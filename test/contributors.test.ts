import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { ROOMS } from '#test/support/code/layers.ts'
import { deadLinksOf } from '#test/support/code/markdown-links.ts'

// What contributors read beside the code, held against the code.

const FILES = globSync(['{server,worker,app,db,test}/README.md', 'test/bench/README.md', '.github/**/*.md'], {
  cwd: ROOT,
}).sort()
const readme = read('README.md')

test('each folder of the program has its README, and the map of the house links to it', () => {
  const folders = ['app', 'db', 'server', 'test', 'worker']
  const files = folders.map((folder) => `${folder}/README.md`)
  expect(FILES.filter((file) => /^\w+\/README/.test(file))).toEqual(files)
  const rows = [...readme.matchAll(/^\| `(\w+)` \|.*?\]\((\w+\/README\.md)\)/gm)].map(([, name, file]) => [name, file])
  expect(rows.toSorted()).toEqual(folders.map((folder, index) => [folder, files[index]]))
})

describe.each(FILES)('%s', (file) => {
  const text = read(file)

  test('has at most 120 lines', () => {
    expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(120)
  })

  test('links only to files and headings that there are', () => {
    expect(deadLinksOf(file)).toEqual([])
  })

  test('names only files that there are', () => {
    const named = text.matchAll(/(?<![\w/.-])(?:app|server|worker|db|test)\/[\w/()[\].-]+\.(?:tsx?|mjs|sql|md)\b/g)
    const missing = [...named].map(([path]) => path).filter((path) => !existsSync(join(ROOT, path)))
    expect(missing.filter((path) => !path.includes('NAME'))).toEqual([])
  })

  test('names only npm scripts that there are', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = [...text.matchAll(/`?npm run ([a-z-]+)/g)].map(([, name = '']) => name)
    expect(named.filter((name) => !(name in scripts))).toEqual([])
  })
})

test('the dependencies are all those of the program, each with its licence and its reason', () => {
  const { dependencies } = JSON.parse(read('package.json'))
  const { packages } = JSON.parse(read('package-lock.json'))
  const rows = [...read('.github/DEPENDENCIES.md').matchAll(/^\| ((?:`[^`]+` ?)+) ?\| ([\w.-]+) \| \S.* \|$/gm)]
  const told = rows.flatMap(([, names = '', license]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => [name, license]),
  )
  const installed = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`].license])
  expect(told.sort()).toEqual(installed.sort())
})

test('the rooms are folders, each listed once', () => {
  expect(ROOMS.filter((room) => !existsSync(join(ROOT, room)))).toEqual([])
  expect(new Set(ROOMS).size).toBe(ROOMS.length)
})

test('the changelog begins with this release', () => {
  const { version } = JSON.parse(read('package.json'))
  expect(/^## (\S+)/m.exec(read('.github/CHANGELOG.md'))?.[1]).toBe(version)
})

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

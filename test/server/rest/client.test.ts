import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createClient } from '@hey-api/openapi-ts'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RUN_AND_WAIT_TYPESCRIPT } from '#app/docs/guide/scripts.ts'
import { buildDocument } from '#server/rest/document.ts'
import { FROM_WORKSPACE_TO_BODY, SECOND_CLIENT } from '#test/support/api/client-program.ts'

const execute = promisify(execFile)
const ROOT = new URL('../../../', import.meta.url).pathname

/** Inside the project, so that its packages are found. */
let folder: string

beforeAll(async () => {
  await mkdir(join(ROOT, '.test'), { recursive: true })
  folder = await mkdtemp(join(ROOT, '.test', 'client-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns TypeScript's strictest diagnostics of the files and everything they import, declarations included. */
function problemsOf(files: string[], options: ts.CompilerOptions): string[] {
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2024,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    ...options,
  })
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    return `${file?.fileName ?? ''}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`
  })
}

describe('npm run client', () => {
  test('does not take an option for a folder', async () => {
    const { stdout } = await execute(process.execPath, [join(ROOT, 'server/commands/write-client.ts'), '--help'], {
      cwd: folder,
    })
    expect(stdout).toBe('Usage: npm run client -- [FOLDER]\n')
    expect(await readdir(folder)).toEqual([])
  })

  test('writes a client that compiles strictly, with programs that use it', async () => {
    const { stdout } = await execute(process.execPath, [
      join(ROOT, 'server/commands/write-client.ts'),
      join(folder, 'soundline-client'),
    ])
    expect(stdout).toContain('openapi-fetch')
    const programs = { 'drive.ts': FROM_WORKSPACE_TO_BODY, 'run-and-wait.ts': RUN_AND_WAIT_TYPESCRIPT }
    for (const [name, text] of Object.entries(programs)) await writeFile(join(folder, name), text)
    const files = Object.keys(programs).map((name) => join(folder, name))
    const strictest: ts.CompilerOptions = {
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
    }
    expect(problemsOf([...files, join(folder, 'soundline-client/schema.d.ts')], strictest)).toEqual([])
  })

  test('a program with a mistake does not compile', async () => {
    const wrong = join(folder, 'wrong.ts')
    await writeFile(wrong, FROM_WORKSPACE_TO_BODY.replace("body: { name: 'Driven' }", "body: { title: 'Driven' }"))
    expect(problemsOf([wrong], { skipLibCheck: true, allowImportingTsExtensions: true }).join()).toContain("'title'")
  })
})

describe('another generator', () => {
  test('generates a client that compiles strictly', async () => {
    await createClient({
      input: JSON.parse(JSON.stringify(buildDocument())),
      output: { path: join(folder, 'second-client') },
      plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
      logs: { level: 'silent', file: false },
    })
    const use = join(folder, 'second.ts')
    await writeFile(use, SECOND_CLIENT)
    expect(problemsOf([use, join(folder, 'second-client/index.ts')], { skipLibCheck: true })).toEqual([])
  })
})

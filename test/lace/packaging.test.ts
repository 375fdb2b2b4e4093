import { readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, test } from 'vitest'

const ROOT = new URL('../../server/language/lace/', import.meta.url)

/** Returns the files and packages that a file of the language loads, directly or indirectly. */
function importsOf(entry: string): { files: Set<string>; packages: Set<string> } {
  const files = new Set<string>()
  const packages = new Set<string>()
  const visit = (url: URL) => {
    if (files.has(url.href)) return
    files.add(url.href)
    const source = ts.createSourceFile(url.pathname, readFileSync(url, 'utf8'), ts.ScriptTarget.Latest)
    for (const statement of source.statements) {
      const declares = ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)
      if (!declares || !statement.moduleSpecifier || !ts.isStringLiteral(statement.moduleSpecifier)) continue
      if (ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly) continue
      if (ts.isExportDeclaration(statement) && statement.isTypeOnly) continue
      const { text } = statement.moduleSpecifier
      if (text.startsWith('.')) visit(new URL(text, url))
      else packages.add(text)
    }
  }
  visit(new URL(entry, ROOT))
  return { files: new Set([...files].map((href) => href.slice(ROOT.href.length))), packages }
}

test('the validator loads neither the executor nor anything that could reach a network', () => {
  for (const entry of ['parser.ts', 'validator.ts', 'references.ts', 'interpolation.ts', 'print/print.ts']) {
    const { files, packages } = importsOf(entry)
    expect([...packages].filter((name) => name !== 'leven')).toEqual([])
    expect([...files].filter((file) => /^(executor|evaluation|json-schema|transport|body-files)/.test(file))).toEqual(
      [],
    )
  }
})

test('a thread of the executor loads nothing that could reach a network', () => {
  const { files, packages } = importsOf('executor/thread.ts')
  expect(files).toContain('evaluation/task.ts')
  expect([...files].filter((file) => /^executor\/(?!thread\.ts$)/.test(file))).toEqual([])
  expect([...packages].sort()).toEqual(['leven', 'node:worker_threads'])
})

test('the executor loads the validator, and reaches the network only through the given transport', () => {
  const { files, packages } = importsOf('executor.ts')
  expect(files).toContain('validator.ts')
  expect([...packages].filter((name) => !name.startsWith('@hyperjump/')).sort()).toEqual([
    ...['leven', 'node:os', 'node:timers/promises', 'node:worker_threads', 'tough-cookie'],
  ])
})

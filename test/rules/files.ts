import { existsSync, globSync } from 'node:fs'
import { basename, join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { importsThat, PROGRAM, placesWhere, sources, walk } from '#test/support/code/sources.ts'

// Rules of style that a linter cannot check. Each rule lists the places that break it.

describe('how files are written', () => {
  test('file names are kebab-case', () => {
    // Next puts route parameters in brackets.
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|data|config|module|d))*\.(ts|tsx|mjs|css|sql|json|sh|md|svg)$/
    const files = globSync('{app,server,worker,db,test}/**/*.{ts,tsx,mjs,css}', { cwd: ROOT })
    expect(files.filter((file) => !kebab.test(basename(file)))).toEqual([])
  })

  test('default exports exist only where Next or a tool requires them', () => {
    const allowed =
      /^app\/(.*\/)?(page|layout|loading|error|not-found|global-error|template|default)\.tsx$|\.config\.ts$|^test\/support\/vitest\/global-setup\.ts$/
    const wrong = sources().filter(({ file, tree }) => !allowed.test(file) && hasDefaultExport(tree))
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  test('the type any is not used', () => {
    expect(placesWhere(sources(), (node) => node.kind === ts.SyntaxKind.AnyKeyword)).toEqual([])
  })

  test('files that comments and strings name exist', () => {
    const wrong = sources().flatMap(({ file, text }) =>
      [...text.matchAll(/(?<![\w#/.-])(?:app|server|worker|db|test)\/[\w/()[\]-]+\.(?:tsx?|mjs|sql)\b/g)]
        .filter(([path]) => !existsSync(join(ROOT, path)))
        .map(([path]) => `${file} ${path}`),
    )
    expect(wrong).toEqual([])
  })

  test('no file has unfinished work or silenced checks', () => {
    const marks = /\b(TODO|FIXME|XXX|HACK)\b|@ts-(ignore|nocheck)/
    // A test may prove that the compiler rejects something.
    const expected = /@ts-expect-error/
    const wrong = sources().flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          (marks.test(line) || (expected.test(line) && !file.startsWith('test/'))) && file !== 'test/rules/files.ts'
            ? [`${file}:${index + 1}`]
            : [],
        ),
    )
    expect(wrong).toEqual([])
  })

  test('comments have at most three lines, and docstrings eight', () => {
    const written = sources().filter(({ file }) => file !== 'server/cli/client/schema.d.ts')
    const wrong = written.flatMap(({ file, text }) =>
      commentsOf(text).flatMap(({ line, lines, isDocstring }) =>
        lines > (isDocstring ? 8 : 3) ? [`${file}:${line} has ${lines} lines`] : [],
      ),
    )
    expect(wrong).toEqual([])
  })

  test('no test is skipped, exclusive or empty', () => {
    const wrong = placesWhere(
      sources(['test']),
      (node) =>
        ts.isPropertyAccessExpression(node) &&
        /^(test|it|describe|suite)$/.test(node.expression.getText()) &&
        /^(skip|only|todo|skipIf|runIf|fails)$/.test(node.name.text),
    )
    expect(wrong).toEqual([])
  })

  test('only server/process/environment.ts reads the environment, and the entry of the command line', () => {
    const readers = /^server\/(process\/environment|cli\/main)\.ts:/
    const reads = (node: ts.Node) =>
      ts.isPropertyAccessExpression(node) &&
      node.name.text === 'env' &&
      /^(process|import\.meta)$/.test(node.expression.getText())
    const wrong = placesWhere(sources(PROGRAM), reads).filter((place) => !readers.test(place))
    expect(wrong).toEqual([])
    const imported = PROGRAM.flatMap((folder) =>
      importsThat(folder, ({ specifier, names }) => /^(node:)?process$/.test(specifier) && names.includes('env')),
    )
    expect(imported).toEqual([])
  })
})

type Comment = { line: number; lines: number; isDocstring: boolean }

/** Returns the comments that begin a line: consecutive `//` lines count as one, and a line of delimiters alone as none. */
function commentsOf(text: string): Comment[] {
  return [...text.matchAll(/^[ \t]*(?:\/\/.*\n(?:[ \t]*\/\/.*\n)*|\{?\/\*[\s\S]*?\*\/)/gm)].map(
    ({ 0: comment, index }) => ({
      line: text.slice(0, index).split('\n').length,
      lines: comment.split('\n').filter((line) => /[^\s{/*]/.test(line)).length,
      isDocstring: comment.trimStart().startsWith('/**'),
    }),
  )
}

function hasDefaultExport(tree: ts.SourceFile): boolean {
  let found = false
  walk(tree, (node) => {
    if (ts.isExportAssignment(node) && !node.isExportEquals) found = true
    if (
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.DefaultKeyword)
    )
      found = true
    if (ts.isExportSpecifier(node) && node.name.text === 'default') found = true
  })
  return found
}

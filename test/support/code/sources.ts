import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import ts from 'typescript'
import { ROOT } from '#server/process/program.ts'

// The project's sources as syntax trees, for the rules in tests.

export type Import = {
  /** As written. */
  specifier: string
  /** Path from the project's root; null for a package or a module of Node. */
  file: string | null
  /** Only types are imported, so nothing is loaded. */
  isType: boolean
  /** Imported names, `default` and `*` included; empty for a dynamic import or an import for its side effects. */
  names: string[]
  line: number
}

export type Source = { file: string; text: string; readonly tree: ts.SourceFile; readonly imports: Import[] }

/** The top-level folders of the program. */
export const PROGRAM = ['app', 'server', 'worker', 'db']
const FOLDERS = [...PROGRAM, 'test']
const cache = new Map<string, Source>()

/** Returns all TypeScript files of these top-level folders, sorted by path; by default of all folders. */
export function sources(folders: string[] = FOLDERS): Source[] {
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`)
  return globSync(patterns, { cwd: ROOT })
    .sort()
    .map((file) => source(file))
}

export function source(file: string): Source {
  const found = cache.get(file)
  if (found) return found
  const text = readFileSync(join(ROOT, file), 'utf8')
  let tree: ts.SourceFile | null = null
  let imports: Import[] | null = null
  const read: Source = {
    file,
    text,
    // Some rules read only the text, and parsing all files takes seconds.
    get tree() {
      tree ??= ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
      return tree
    },
    get imports() {
      imports ??= importsOf(file, this.tree)
      return imports
    },
  }
  cache.set(file, read)
  return read
}

/** Calls `see` with every node of the tree. */
export function walk(tree: ts.Node, see: (node: ts.Node) => void): void {
  see(tree)
  ts.forEachChild(tree, (child) => walk(child, see))
}

/** Returns the place of every node in these files that matches. */
export function placesWhere(files: Source[], matches: (node: ts.Node) => boolean): string[] {
  const places: string[] = []
  for (const { tree } of files) {
    walk(tree, (node) => {
      if (matches(node)) places.push(placeOf(node))
    })
  }
  return places
}

/** Returns the place and specifier of every import in the folder that is wrong. */
export function importsThat(folder: string, isWrong: (found: Import) => boolean): string[] {
  return sources([folder]).flatMap(({ file, imports }) =>
    imports.filter(isWrong).map(({ specifier, line }) => `${file}:${line} ${specifier}`),
  )
}

/** Returns `file:line` of a node, which editors can open. */
export function placeOf(node: ts.Node): string {
  const tree = node.getSourceFile()
  return `${tree.fileName}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
}

function importsOf(file: string, tree: ts.SourceFile): Import[] {
  const found: Import[] = []
  const add = (specifier: ts.Node | undefined, isType: boolean, names: string[]) => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return
    const line = tree.getLineAndCharacterOfPosition(specifier.getStart()).line + 1
    found.push({ specifier: specifier.text, file: resolveFile(file, specifier.text), isType, names, line })
  }
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node)) {
      const { isType, names } = clauseOf(node.importClause)
      add(node.moduleSpecifier, isType, names)
    } else if (ts.isExportDeclaration(node)) {
      add(node.moduleSpecifier, node.isTypeOnly, ['*'])
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, [])
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, [])
    }
  })
  return found
}

function clauseOf(clause: ts.ImportClause | undefined): { isType: boolean; names: string[] } {
  if (!clause) return { isType: false, names: [] }
  const bindings = clause.namedBindings
  if (bindings && ts.isNamespaceImport(bindings)) return { isType: clause.isTypeOnly, names: ['*'] }
  const elements = bindings?.elements ?? []
  const names = elements.map((element) => (element.propertyName ?? element.name).text)
  if (clause.name) names.push('default')
  const allTypes = !clause.name && elements.length > 0 && elements.every((element) => element.isTypeOnly)
  return { isType: clause.isTypeOnly || allTypes, names }
}

function resolveFile(from: string, specifier: string): string | null {
  const alias = /^#(app|server|worker|db|test)\/(.*)$/.exec(specifier)
  const path = alias ? `${alias[1]}/${alias[2]}` : specifier.startsWith('.') ? join(dirname(from), specifier) : null
  if (path === null) return null
  const whole = join(ROOT, path)
  if (existsSync(whole) && statSync(whole).isFile()) return path
  // Client code imports without extension.
  const ended = ['.ts', '.tsx', '/index.ts', '/index.tsx'].find((ending) => existsSync(whole + ending))
  return relative(ROOT, whole + (ended ?? ''))
}

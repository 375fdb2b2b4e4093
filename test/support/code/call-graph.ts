import ts from 'typescript'
import { source, walk } from './sources.ts'

// Finds the functions that a piece of code can reach: functions of its own file, or imported by name from our other
// files. Methods are not followed.

export type Declaration = { file: string; name: string; body: ts.Node }

/** Returns whether `start`, in `file`, calls a function that `wanted` accepts, directly or through other functions. */
export function reachesCall(file: string, start: ts.Node, wanted: (name: string, file: string) => boolean): boolean {
  const seen = new Set<string>()
  const waiting: { file: string; node: ts.Node }[] = [{ file, node: start }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { file: here, node } = next
    let found = false
    walk(node, (inner) => {
      // A function that is passed as a value counts as called.
      if (!ts.isIdentifier(inner) || !isUse(inner)) return
      const declared = findFunction(here, inner.text)
      if (!declared) return
      const id = `${declared.file} ${declared.name}`
      if (wanted(declared.name, declared.file)) found = true
      if (seen.has(id)) return
      seen.add(id)
      waiting.push({ file: declared.file, node: declared.body })
    })
    if (found) return true
  }
  return false
}

function isUse(identifier: ts.Identifier): boolean {
  const { parent } = identifier
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === identifier
  if (ts.isPropertyAssignment(parent)) return parent.initializer === identifier
  return !ts.isTypeNode(parent) && !ts.isImportSpecifier(parent)
}

/** Returns the function or constant of this name that `file` declares at its top level or imports by name. */
export function findFunction(file: string, name: string): Declaration | null {
  const { tree, imports } = source(file)
  for (const statement of tree.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return { file, name, body: statement }
    if (!ts.isVariableStatement(statement)) continue
    for (const declaration of statement.declarationList.declarations) {
      if (ts.isIdentifier(declaration.name) && declaration.name.text === name && declaration.initializer) {
        return { file, name, body: declaration.initializer }
      }
    }
  }
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement)) continue
    const bindings = statement.importClause?.namedBindings
    if (!bindings || !ts.isNamedImports(bindings)) continue
    const element = bindings.elements.find((candidate) => candidate.name.text === name)
    if (!element) continue
    const specifier = (statement.moduleSpecifier as ts.StringLiteral).text
    const from = imports.find((found) => found.specifier === specifier)?.file
    if (from && /\.tsx?$/.test(from)) return findFunction(from, (element.propertyName ?? element.name).text)
  }
  return null
}

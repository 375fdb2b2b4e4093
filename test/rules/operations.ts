import { globSync } from 'node:fs'
import { basename } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { ROOT } from '#server/process/program.ts'
import { appRouter } from '#server/router.ts'
import { ERRORS } from '#server/schemas/errors/error-table.ts'
import { reachesCall } from '#test/support/code/call-graph.ts'
import { placeOf, sources, walk } from '#test/support/code/sources.ts'

describe('every operation', () => {
  const procedures = Object.entries(appRouter._def.procedures)

  test('that changes something writes an audit entry', () => {
    const mutations = sources(['server']).flatMap(({ file, tree }) => mutationsOf(file, tree))
    expect(mutations.length).toBeGreaterThan(20)
    const silent = mutations.filter(({ file, handler }) => !reachesCall(file, handler, isAudit))
    expect(silent.map(({ place }) => place)).toEqual([])
  })

  test('of the public API declares its output and what the document needs', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const { meta, output } = definitionOf(procedure)
      if (!meta?.openapi) return []
      const { method, path, operationId, summary, tags } = meta.openapi
      return method && path && operationId && summary && tags?.length && output ? [] : [name]
    })
    expect(wrong).toEqual([])
  })

  test('declares only existing error codes, each once', () => {
    const wrong = procedures.flatMap(([name, procedure]) => {
      const codes = definitionOf(procedure).meta?.api?.errors ?? []
      return codes.some((code) => !(code in ERRORS)) || new Set(codes).size < codes.length ? [name] : []
    })
    expect(wrong).toEqual([])
  })

  test('of the public API has a unique operationId', () => {
    const ids = procedures.flatMap(([, procedure]) => {
      const id = definitionOf(procedure).meta?.openapi?.operationId
      return id ? [id] : []
    })
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  test('is in the folder or file that its name begins with', () => {
    const names = Object.keys(appRouter._def.procedures).map((name) => name.split('.')[0]!)
    const places = globSync('server/operations/*', { cwd: ROOT }).map((place) => basename(place, '.ts'))
    const camel = (place: string) => place.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
    expect([...new Set(names)].sort()).toEqual(places.map(camel).sort())
  })
})

type Meta = {
  openapi?: { method?: string; path?: string; operationId?: string; summary?: string; tags?: string[] }
  api?: { errors?: string[] }
}

function definitionOf(procedure: unknown): { meta?: Meta; output?: unknown } {
  return (procedure as { _def: { meta?: Meta; output?: unknown } })._def
}

function mutationsOf(file: string, tree: ts.SourceFile): { file: string; place: string; handler: ts.Node }[] {
  const found: { file: string; place: string; handler: ts.Node }[] = []
  walk(tree, (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
    const [handler] = node.arguments
    if (node.expression.name.text === 'mutation' && handler) found.push({ file, place: placeOf(handler), handler })
  })
  return found
}

function isAudit(name: string, file: string): boolean {
  return file === 'server/audit.ts' && name === 'audit'
}

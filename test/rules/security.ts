import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { importsThat, PROGRAM, placeOf, placesWhere, sources, walk } from '#test/support/code/sources.ts'

// Code that a script or a caller could abuse. Each rule lists the places that break it.

describe('what a script or caller could abuse', () => {
  test('no regular expression is built from data', () => {
    const made = (node: ts.Node) =>
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      node.expression.getText() === 'RegExp' &&
      !(node.arguments?.[0] && ts.isStringLiteralLike(node.arguments[0]))
    expect(placesWhere(sources(['server', 'worker', 'db']), made)).toEqual([])
  })

  test('no file evaluates code from strings', () => {
    const evaluates = (node: ts.Node) =>
      (ts.isCallExpression(node) || ts.isNewExpression(node)) && /^(eval|Function)$/.test(node.expression.getText())
    expect(placesWhere(sources(PROGRAM), evaluates)).toEqual([])
    const vm = importsThat('worker', ({ specifier }) => /^(node:)?vm$/.test(specifier))
    expect([...vm, ...importsThat('server', ({ specifier }) => /^(node:)?vm$/.test(specifier))]).toEqual([])
  })

  test('only the guarded client opens connections, except to what the operator configures', () => {
    expect(networkOpenings().filter(({ file }) => !(file in NETWORK_FILES))).toEqual([])
  })

  test('every file on the list of exceptions opens a connection', () => {
    const opening = new Set(networkOpenings().map(({ file }) => file))
    expect(Object.keys(NETWORK_FILES).filter((file) => !opening.has(file))).toEqual([])
  })
})

/** Files that may open connections, with the reason. */
const NETWORK_FILES: Record<string, string> = {
  'worker/http/dial.ts': 'the guarded client: connects to checked addresses',
  'worker/http/exchange.ts': 'the guarded client: one exchange over a connection of dial.ts',
  'worker/http/resolve.ts': 'the guarded client: resolves names, once per hop',
  'worker/http/tls.ts': 'the guarded client: the handshake over a connection of dial.ts',
  'server/scripts/domain-proof.ts': 'resolves the TXT record of a domain',
  'server/bodies/s3-store.ts': 'connects to the bucket of BODY_STORE_URL',
  'db/connections/socket.ts': 'connects to the database of DATABASE_URL',
  'server/process/folder-lock.ts': 'the lock socket in the data folder',
  'worker/agent/requests.ts': 'the remote agent connects to the installation of SOUNDLINE_URL',
  'worker/agent/main.ts': 'sends these requests through the proxy of the environment',
  'worker/tasks/mail.ts': 'connects to the mail server of SMTP_URL',
}

function networkOpenings(): { file: string; place: string }[] {
  const modules =
    /^(node:)?(http|https|http2|net|tls|dgram|dns|dns\/promises)$|^(undici|ws|got|axios|node-fetch|nodemailer|aws4fetch)$/
  // Types, servers and text checks open no connection.
  const harmless =
    /^(Agent|Server|Socket|createServer|isIP|isIPv4|isIPv6|STATUS_CODES|[A-Z]\w*(Message|Response|Listener|Request|Options))$/
  return sources(['server', 'worker', 'db']).flatMap(({ file, tree, imports }) => {
    const imported = imports.filter(
      ({ specifier, isType, names }) =>
        modules.test(specifier) && !isType && (names.length === 0 || names.some((name) => !harmless.test(name))),
    )
    const places = imported.map(({ line }) => `${file}:${line}`)
    walk(tree, (node) => {
      if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return
      if (/^(globalThis\.)?(fetch|WebSocket|EventSource)$/.test(node.expression.getText())) places.push(placeOf(node))
    })
    return places.map((place) => ({ file, place }))
  })
}

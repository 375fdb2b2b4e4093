import { expect, test } from 'vitest'
import { run, startTarget } from './server.ts'

const UMLAUT = Buffer.from([0xfc])

/** Returns what a script reads in a body. */
async function textOf(body: Buffer, contentType?: string): Promise<unknown> {
  await using target = await startTarget((_, response) => {
    response.writeHead(200, contentType === undefined ? {} : { 'content-type': contentType }).end(body)
  })
  const { runVars, calls } = await run(`get("${target.url}").expect(status: 200).store({ "$$text": this.body })`)
  expect(calls[0]!.error).toBeNull()
  return runVars.text
}

const latin = (start: string) => Buffer.concat([Buffer.from(start), UMLAUT])

test.each([
  ['a meta element', '<html><meta charset="iso-8859-1">', 'text/html'],
  ['a meta element without quotes', '<META name=x content="charset=utf-8"><META CHARSET=latin1 />', 'text/html'],
  ['http-equiv', `<meta content='text/html; charset=windows-1252' http-equiv="Content-Type">`, 'text/html'],
  [
    'a second meta element, after a comment',
    '<!-- <meta charset="utf-8"> --><meta charset="none"><meta charset="latin1">',
    'text/html',
  ],
  ['an XML declaration', '<?xml version="1.0" encoding="ISO-8859-1"?><a>', 'application/xml'],
  ['an XML declaration of a feed', `<?xml version='1.0' encoding='latin1' ?><a>`, 'application/atom+xml'],
  ['a document without a content type', '<meta charset="latin1">', undefined],
])('a document is decoded as it declares: %s', async (_name, start, type) => {
  expect(await textOf(latin(start), type)).toBe(`${start}\u00fc`)
})

test.each([
  ['the content type counts more', '<meta charset="latin1">', 'text/html; charset=utf-8'],
  ['other types do not declare one', '<meta charset="latin1">', 'text/plain'],
  ['a declaration in ASCII is not UTF-16', '<meta charset="utf-16">', 'text/html'],
  ['beyond 1,024 bytes it is not looked for', `${' '.repeat(1_024)}<meta charset="latin1">`, 'text/html'],
])('else it is UTF-8: %s', async (_name, start, type) => {
  expect(await textOf(Buffer.from(`${start}\u00fc`), type)).toBe(`${start}\u00fc`)
})

test('a byte order mark counts most, and is not part of the text', async () => {
  const little = Buffer.from('\ufeff<meta charset="latin1">\u00fc', 'utf16le')
  const text = '<meta charset="latin1">\u00fc'
  expect(await textOf(little, 'text/html; charset=utf-8')).toBe(text)
  expect(await textOf(Buffer.from(little).swap16(), 'text/plain')).toBe(text)
  expect(await textOf(Buffer.from(`\ufeff${text}`), 'text/html; charset=latin1')).toBe(text)
  expect(await textOf(Buffer.from('\ufeff{"a":1}', 'utf16le'), 'application/json')).toEqual({ a: 1 })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of shells
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseCurl } from '#server/language/script-import/curl.ts'
import { withoutUserinfo } from '#server/language/script-import/request.ts'
import { toScript } from '#server/language/script-import/to-script.ts'
import { type Sent, startReceiver } from '#test/support/cli/sent-request.ts'

// What a target receives from the script of a command is what curl would send it.

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

function scriptOf(command: string) {
  return toScript([withoutUserinfo(parseCurl(command))])
}

async function sentBy(command: string, values: Record<string, string> = {}): Promise<Sent> {
  const { script } = scriptOf(command.replaceAll('HOST', receiver.host))
  const [sent] = await receiver.send(script, { s: { dollar: '$', ...values } })
  return sent as Sent
}

const FORM = 'application/x-www-form-urlencoded'
const JSON_TYPE = 'application/json'

test.each<[string, Partial<Omit<Sent, 'headers'>> & { type?: string }]>([
  // Attached values, and flags before them.
  ['curl -o/dev/null -w%{http_code} HOST/a', { method: 'GET', url: '/a' }],
  ['curl -sSo /dev/null -XPUT HOST/a', { method: 'PUT', url: '/a' }],
  ['curl -ksSm5 HOST/a', { method: 'GET', url: '/a' }],
  ['curl HOST/x', { url: '/x' }],
  ['curl HOST/a > /dev/null 2>&1', { url: '/a' }],
  // A form by its type, with the bytes as they are.
  ['curl HOST -d a=1 -d b=2', { method: 'POST', body: 'a=1&b=2', type: FORM }],
  [`curl HOST -d '{"a": 1}'`, { method: 'POST', body: '{"a": 1}', type: FORM }],
  ['curl HOST -d "a=x y&b=%20+%2b"', { body: 'a=x y&b=%20+%2b', type: FORM }],
  ['curl HOST -d b=1 -d a=2 -d b=3', { body: 'b=1&a=2&b=3', type: FORM }],
  ["curl HOST -d 'a\nb'", { body: 'ab' }],
  ["curl HOST --data-binary 'a\nb'", { body: 'a\nb' }],
  ['curl HOST --data-urlencode "a=x!(y)*é"', { body: 'a=x%21%28y%29%2A%C3%A9' }],
  ["curl HOST -d ''", { method: 'POST', body: '', type: FORM }],
  ["curl HOST -H 'Content-Type:' -d a=1", { body: 'a=1', type: undefined }],
  ["curl HOST -H 'Content-Type: text/csv' --data-raw '@a,b'", { body: '@a,b', type: 'text/csv' }],
  // JSON, and several parts of it.
  [`curl HOST --json '{"a":' --json '1}'`, { method: 'POST', body: '{"a":1}', type: JSON_TYPE }],
  [`curl HOST --json '[1,2]'`, { body: '[1,2]', type: JSON_TYPE }],
  [`curl HOST --json '"one"'`, { body: '"one"', type: JSON_TYPE }],
  [`curl HOST --json '{"id":12345678901234567890}'`, { body: '{"id":12345678901234567890}', type: JSON_TYPE }],
  [`curl HOST --json '{"n":1e3,"f":1.0}'`, { body: '{"n":1e3,"f":1.0}' }],
  [`curl HOST --json '{"a":1,"a":2}'`, { body: '{"a":1,"a":2}' }],
  [`curl HOST --json '{"a":"\\u0000"}'`, { body: '{"a":"\\u0000"}' }],
  [
    `curl -X PATCH HOST -H 'Content-Type: application/json-patch+json' -d '[{"op":"remove","path":"/a"}]'`,
    { method: 'PATCH', body: '[{"op":"remove","path":"/a"}]', type: 'application/json-patch+json' },
  ],
  [
    `curl HOST -H 'Content-Type: application/json; charset=utf-8' -d '{"a":1}'`,
    { body: '{"a":1}', type: 'application/json; charset=utf-8' },
  ],
  // The shell's quotes.
  [`curl HOST --data-raw 'a'"b"c\\ d$'\\x41\\303\\251\\n'`, { body: 'abc dAé\n' }],
  ["curl HOST --data-raw '$A ${B}' # a comment", { body: '$A ${B}' }],
  ['curl HOST --data-raw "\\$A \\"b\\""', { body: '$A "b"' }],
  // The query.
  ['curl -G "HOST/s?a=1" -d b=2 --url-query "c=x y"', { method: 'GET', url: '/s?a=1&b=2&c=x%20y', body: '' }],
])('%s', async (command, { type, ...wanted }) => {
  const sent = await sentBy(command)
  expect(sent).toMatchObject(wanted)
  if (type !== undefined) expect(sent.headers['content-type']).toBe(type)
})

test.each<[string, Record<string, string | undefined>]>([
  ["curl HOST -H 'X-A: 1' -H 'x-a: 2' -b a=1 -H 'Cookie: b=2'", { 'x-a': '1, 2', cookie: 'a=1; b=2' }],
  ["curl HOST -H 'X-Empty;' -H 'Accept:'", { 'x-empty': '' }],
  ["curl HOST --json '{}'", { accept: 'application/json' }],
  ["curl HOST -H 'Content-Type:' -d a=1", { 'content-type': undefined }],
  ['curl -u "a:b" --digest HOST', { authorization: undefined }],
  ['curl -b cookies.txt HOST', { cookie: undefined }],
])('headers of %s', async (command, headers) => {
  const { script } = scriptOf(command.replaceAll('HOST', receiver.host))
  const values = { cookie: 'a=1; b=2', authorization: 'x' }
  const [sent] = await receiver.send(script, { s: values })
  for (const [name, value] of Object.entries(headers)) expect(sent?.headers[name]).toBe(value)
})

describe('a variable of the shell', () => {
  test('is a variable of the service, a secret by its name', async () => {
    const command = `curl "http://$ADDRESS/\${PLACE}?q=$Q" -H "X-Key: a$API_KEY" -d "n=$N&dollar=$dollar" -d 'x=$Q'`
    const { script, suggestions } = scriptOf(command)
    expect(suggestions.map(({ key, isPlain }) => [key, isPlain ?? false])).toEqual([
      ['ADDRESS', true],
      ['PLACE', true],
      ['Q', true],
      ['API_KEY', false],
      ['N', true],
      ['dollar_', true],
      ['dollar', false],
    ])
    const values = { ADDRESS: receiver.host, PLACE: 'p', Q: '1', API_KEY: 'k', N: '5', dollar: '$', dollar_: 'd' }
    const [sent] = await receiver.send(script, { s: values })
    expect(sent).toMatchObject({ method: 'POST', url: '/p?q=1', body: 'n=5&dollar=d&x=$Q' })
    expect(sent?.headers['x-key']).toBe('ak')
  })

  test('in the user makes one secret of both', () => {
    const { script, suggestions } = scriptOf('curl -u "$USER:$PASS" example.com')
    expect(script).toContain('"Authorization": "Basic $s.authorization"')
    expect(suggestions.map(({ key }) => key)).toEqual(['authorization'])
  })
})

describe('what a target answers', () => {
  test.each([
    ['curl example.com', 'status: 200', 'follow: false', ['the status']],
    ['curl -L example.com', 'status: 200', null, ['the status']],
    ['curl -f example.com', 'status: { value: 400, op: "lt" }', 'follow: false', []],
    ['curl -fL --max-redirs 3 example.com', 'status: { value: 400, op: "lt" }', 'redirects: { max: 3 }', []],
    ['curl -fL --max-redirs 0 example.com', 'status: { value: 300, op: "lt" }', 'follow: false', []],
    ['curl -fL --max-redirs 50 example.com', 'status: { value: 400, op: "lt" }', null, ['the option --max-redirs']],
  ])('%s', (command, status, redirects, notes) => {
    const { script, notes: found } = scriptOf(command)
    expect(script).toContain(`.expect(${status})`)
    if (redirects) expect(script).toContain(redirects)
    else expect(script).not.toContain('redirects')
    expect(found.map(({ what }) => what)).toEqual(notes)
  })
})

test.each([
  ['curl -f --digest -u a:b example.com', 'the option --digest'],
  ['curl -f -b jar.txt example.com', 'the option --cookie with a file'],
  ['curl -f --cacert ca.pem example.com', 'the option --cacert'],
  ['curl -f --connect-timeout 2 example.com', 'the option --connect-timeout'],
  ['curl -f -m 90 example.com', 'the option --max-time'],
  ['curl -f -x proxy:1 example.com', 'the option --proxy'],
  ["curl -f -H 'no colon' example.com", 'the option --header without a colon'],
  ["curl -f -H 'X A: 1' example.com", 'the header X A'],
  ["curl -f -H 'X-A: 1' -H 'X-A: 2' example.com", 'the header X-A, which is given twice'],
])('%s has a note', (command, what) => {
  expect(scriptOf(command).notes.map((note) => note.what)).toEqual([what])
})

test.each([
  ['curl example.com/$(date)', 'runs another command'],
  ['curl example.com/`date`', 'runs another command'],
  ['curl "example.com/${A:-b}"', 'cannot compute'],
  ['curl "example.com', 'quote is not closed'],
  ['curl https://example.com/{a,b}', 'is a pattern'],
  ['curl example.com/?a=1&b=2', 'Quote a URL'],
  ['curl ftp://example.com', 'not over ftp'],
  ['curl --unknown 1 example.com', '--unknown is not known'],
  ['curl -d @- example.com', 'from a file'],
  ['curl --data-urlencode a@b example.com', 'from a file'],
  ['curl -T a.txt example.com', 'from a file'],
  ["curl example.com -d $'\\xff'", 'not UTF-8'],
  ['curl a.example --next b.example', '--next'],
  ['curl example.com < a.txt', 'from elsewhere'],
])('%s is refused', (command, reason) => {
  expect(() => scriptOf(command)).toThrow(reason)
})

test('two values of one name are two secrets', () => {
  const requests = ['abc', 'def', 'abc'].map((token) => parseCurl(`curl example.com -H 'X-Api-Key: ${token}'`))
  const { script, suggestions } = toScript(requests)
  expect(script.match(/\$s\.\w+/g)).toEqual(['$s.x_api_key', '$s.x_api_key_2', '$s.x_api_key'])
  expect(suggestions.map(({ from }) => from)).toEqual(['the header X-Api-Key', 'the header X-Api-Key of call 2'])
})

test('a secret in a text that no object can hold is no part of the script', () => {
  const { script } = scriptOf(`curl example.com --json '{"password": "hunter2", "id": 12345678901234567890}'`)
  expect(script).toContain(String.raw`{\"password\": \"${'${$s.password}'}\", \"id\": 12345678901234567890}`)
  expect(scriptOf("curl example.com -d 'token=hunter2&x=a b'").script).not.toContain('hunter2')
})

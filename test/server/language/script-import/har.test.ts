import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { importText } from '#server/language/script-import/import.ts'
import { toScript } from '#server/language/script-import/to-script.ts'
import { startReceiver } from '#test/support/cli/sent-request.ts'

// A recording becomes the requests that were sent. What is left out has a note with its place.

let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
})
afterAll(() => receiver.close())

const entry = (request: object, response: object = { status: 200 }) => ({
  request: { method: 'GET', url: 'https://example.com/', headers: [], ...request },
  response,
})

function importHar(...entries: object[]) {
  const { choices, notes } = importText(JSON.stringify({ log: { entries } }))
  const written = toScript(choices.map(({ request }) => request()))
  return { ...written, choices, notes: [...notes, ...written.notes] }
}

describe('the body', () => {
  test.each([
    [
      'parameters without a text',
      {
        mimeType: 'application/x-www-form-urlencoded',
        params: [
          { name: 'a b', value: 'é&' },
          { name: 'c', value: '1' },
        ],
      },
      'a+b=%C3%A9%26&c=1',
      'application/x-www-form-urlencoded',
    ],
    [
      'parameters of one name',
      {
        params: [
          { name: 'a', value: '1' },
          { name: 'a', value: '2' },
        ],
      },
      'a=1&a=2',
      'application/x-www-form-urlencoded',
    ],
    ['JSON of one value', { mimeType: 'application/json', text: '5' }, '5', 'application/json'],
    ['XML', { mimeType: 'application/xml', text: '<a b="1"/>' }, '<a b="1"/>', 'application/xml'],
    [
      'a form with its own order',
      { mimeType: 'application/x-www-form-urlencoded; charset=UTF-8', text: '2=a&1=b%20c' },
      '2=a&1=b%20c',
      'application/x-www-form-urlencoded; charset=UTF-8',
    ],
  ])('of %s', async (_, postData, body, type) => {
    const { script } = importHar(entry({ method: 'POST', url: `http://${receiver.host}/`, postData }))
    const [sent] = await receiver.send(script)
    expect([sent?.body, sent?.headers['content-type']]).toEqual([body, type])
  })
})

describe('the status', () => {
  test.each([
    [304, 'status: 200', 'had a cached copy'],
    [0, 'status: 200', 'No status'],
    [206, 'status: 206', null],
    [302, 'status: 302', null],
  ])('%s', (status, written, why) => {
    const { script, notes } = importHar(entry({ headers: [{ name: 'If-None-Match', value: '"1"' }] }, { status }))
    expect(script).toContain(`.expect(${written})`)
    expect(script).not.toContain('If-None-Match')
    expect(script).toContain('redirects: { follow: false }')
    const ofStatus = notes.filter(({ what }) => what === 'the status of the request GET https://example.com/')
    expect(ofStatus.map((note) => why !== null && note.why.includes(why))).toEqual(why === null ? [] : [true])
    expect(notes).toContainEqual(expect.objectContaining({ what: 'the headers if-none-match' }))
  })
})

test('requests beyond the bound, and those that scripts cannot send, are notes', () => {
  const many = Array.from({ length: 80 }, (_, at) => entry({ url: `https://example.com/${at}` }))
  const multipart = { mimeType: 'multipart/form-data', params: [{ name: 'a', fileName: 'a.txt' }] }
  const { choices, notes } = importHar(
    entry({ method: 'OPTIONS', url: 'https://user:pass@example.com/a?token=secret' }),
    entry({ method: 'POST', postData: multipart }),
    ...many,
  )
  expect(choices).toHaveLength(50)
  expect(notes.map(({ what, why }) => [what, why])).toEqual([
    ['the request OPTIONS https://example.com/a', 'Scripts cannot send OPTIONS requests.'],
    ['the request POST https://example.com/', 'Scripts cannot send multipart forms.'],
    ['30 of 80 requests', 'An import has at most 50 requests.'],
  ])
})

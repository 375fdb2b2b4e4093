import { describe, expect, test } from 'vitest'
import { messageOf, redactLog, redactText } from '#server/process/log-redaction.ts'

const KEY = `sl_${'k'.repeat(43)}`

describe('log redaction', () => {
  test('fields named like credentials are masked at any depth', () => {
    const line = redactLog({
      headers: { Authorization: 'Bearer x', cookie: 'a=b', accept: '*/*' },
      list: [{ newPassword: 'x', token: 'x', signingSecret: 'x', apiKey: 'x', key: 'x' }],
      keyId: '1',
      keyName: 'ci',
    })
    expect(line).toEqual({
      headers: { Authorization: '[redacted]', cookie: '[redacted]', accept: '*/*' },
      list: [
        {
          newPassword: '[redacted]',
          token: '[redacted]',
          signingSecret: '[redacted]',
          apiKey: '[redacted]',
          key: '[redacted]',
        },
      ],
      keyId: '1',
      keyName: 'ci',
    })
  })

  test('API keys and the credentials of URLs are masked in any string', () => {
    expect(redactText(`got ${KEY}.`)).toBe('got [redacted].')
    expect(redactText('at postgres://me:pass@host/db and https://example.com/a@b')).toBe(
      'at postgres://[redacted]@host/db and https://example.com/a@b',
    )
  })

  test('the values of a failed statement stay out of message, stack and fields', () => {
    const error = new Error('Failed query: insert into users values ($1)\nparams: hunter2', {
      cause: Object.assign(new Error('duplicate'), { code: '23505', detail: 'Key (email)=(hunter2) exists' }),
    })
    expect(JSON.stringify(redactLog({ err: error }))).not.toContain('hunter2')
    expect(redactLog({ err: error })).toMatchObject({ err: { type: 'Error', cause: { code: '23505' } } })
    expect(messageOf(error)).toBe('Failed query: insert into users values ($1)')
  })

  test('a circular value does not recurse for ever', () => {
    const loop: Record<string, unknown> = { name: 'a' }
    loop.self = loop
    expect(JSON.stringify(redactLog(loop))).toContain('[deeper]')
  })
})

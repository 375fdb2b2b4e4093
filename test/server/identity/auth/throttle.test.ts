import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { eq, sql } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { users } from '#db/schema/organizations.ts'
import { HOUR_MS } from '#server/durations.ts'
import { withHashingPermit } from '#server/identity/auth/hashing-permits.ts'
import { PASSWORD, setPassword, testDashboard } from '#test/support/browser/dashboard.ts'
import type { Member, Organization } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const t = testDashboard()

let acme: Organization
beforeAll(async () => {
  acme = await t.create.organization()
})
afterEach(() => t.db.delete(rateLimits))

async function person(): Promise<Member> {
  const member = await t.create.member(acme)
  await setPassword(t.db, member.userId)
  return member
}

/** Ends the current window. */
const endWindow = () => t.db.update(rateLimits).set({ windowStart: sql`${rateLimits.windowStart} - 900` })

describe('wrong passwords', () => {
  const attempt = (email: string, password: string, address?: string) =>
    t.visitor(address).post('auth.signIn', { email, password })

  test('after five from one network, no more are checked from there until the window ends', async () => {
    const { email } = await person()
    for (let i = 0; i < 5; i++)
      expect((await attempt(email, 'wrong guess', '10.1.1.1')).code).toBe('invalid_credentials')
    for (const password of [PASSWORD, 'wrong guess']) {
      const answer = await attempt(email, password, '10.1.1.1')
      expect(answer).toMatchObject({ status: 429, code: 'rate_limited' })
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(900)
    }
    await endWindow()
    expect((await attempt(email, PASSWORD, '10.1.1.1')).status).toBe(200)
  })

  test('do not lock out the owner, who uses another network', async () => {
    const { email } = await person()
    for (let i = 0; i < 7; i++) await attempt(email, 'wrong guess', '10.1.1.2')
    expect((await attempt(email, PASSWORD, '10.9.9.9')).status).toBe(200)
  })

  test('from many networks do not lock out the owner, and are limited together for unknown browsers', async () => {
    const { email } = await person()
    const known = t.visitor('10.2.2.2')
    await known.post('auth.signIn', { email, password: PASSWORD })
    for (let i = 0; i < 3; i++) await attempt(email, 'wrong guess', `10.2.0.${i}`)
    // Counts as if guesses had come from thirty networks, and then a thousand.
    await t.multiplyAttempts(10)
    expect((await attempt(email, PASSWORD, '10.2.1.1')).status).toBe(200)
    await t.multiplyAttempts(34)
    expect((await attempt(email, PASSWORD, '10.2.1.2')).code).toBe('rate_limited')
    expect((await known.post('auth.signIn', { email, password: PASSWORD })).status).toBe(200)
    expect((await attempt((await person()).email, PASSWORD, '10.2.1.1')).status).toBe(200)
  })

  test('for many accounts from one network are limited together, unknown accounts too', async () => {
    await attempt('nobody-0@example.com', 'wrong guess', '10.3.3.3')
    await t.multiplyAttempts(49)
    expect((await attempt('nobody-1@example.com', 'wrong guess', '10.3.3.3')).code).toBe('invalid_credentials')
    expect((await attempt((await person()).email, PASSWORD, '10.3.3.3')).code).toBe('rate_limited')
  })

  test('are counted for the whole /64 of a subscriber, and for the /56 and /48 that one can hold', async () => {
    const { email } = await person()
    const guess = async (times: number, address: string) => {
      for (let i = 0; i < times; i++) {
        expect((await attempt(email, 'wrong guess', `${address}::${i + 1}`)).code).toBe('invalid_credentials')
      }
    }
    const last = async (address: string) => (await attempt(email, PASSWORD, address)).code ?? 'in'
    await guess(5, '2001:db8:1:201')
    expect(await last('2001:db8:1:201:aaaa::1')).toBe('rate_limited')
    await guess(5, '2001:db8:1:202')
    // The /56 has twice the limit of a /64, the /48 four times.
    expect(await last('2001:db8:1:2ff::1')).toBe('rate_limited')
    await guess(5, '2001:db8:1:301')
    await guess(5, '2001:db8:1:401')
    expect(await last('2001:db8:1:501::1')).toBe('rate_limited')
    expect(await last('2001:db8:2:201::1')).toBe('in')
  })

  test('of others do not lock a browser that has signed in before; its own are limited', async () => {
    const { email } = await person()
    const place = '10.6.6.6'
    const known = t.visitor(place)
    const signIn = (password: string) => known.post('auth.signIn', { email, password })
    expect((await signIn(PASSWORD)).status).toBe(200)
    for (let i = 0; i < 6; i++) await attempt(email, 'wrong guess', place)
    expect((await attempt(email, PASSWORD, place)).code).toBe('rate_limited')
    expect((await signIn(PASSWORD)).status).toBe(200)
    for (let i = 0; i < 5; i++) expect((await signIn('wrong guess')).code).toBe('invalid_credentials')
    expect((await signIn(PASSWORD)).code).toBe('rate_limited')
  })

  test('count in full with the cookie of another account, a forged one, or one from before a password change', async () => {
    const [mine, other] = [await person(), await person()]
    const known = t.visitor('10.6.7.7')
    await known.post('auth.signIn', { email: other.email, password: PASSWORD })
    const foreign = known.device as string
    await known.post('auth.signIn', { email: mine.email, password: PASSWORD })
    const own = known.device as string
    for (let i = 0; i < 5; i++) await attempt(mine.email, 'wrong guess', '10.6.7.7')
    const given = { email: mine.email, password: PASSWORD }
    for (const cookie of [foreign, `${own.slice(0, -6)}AAAAAA`, `${own.split('=')[0]}=x`]) {
      const answer = await t.visitor('10.6.7.7').post('auth.signIn', given, { cookie })
      expect(answer.code).toBe('rate_limited')
    }
    await t.db.update(users).set({ sessionEpoch: 1 }).where(eq(users.id, mine.userId))
    const answer = await t.visitor('10.6.7.7').post('auth.signIn', given, { cookie: own })
    expect(answer.code).toBe('rate_limited')
  })

  test("are audited in the account's organizations, once per network and hour, for at most twenty networks", async () => {
    const { email, userId } = await person()
    const elsewhere = await t.create.organization()
    await t.create.member(elsewhere, { userId, isActive: false })
    t.clock.now = new Date('2026-06-01T10:20:00Z')
    for (let i = 0; i < 3; i++) await attempt(email, 'wrong guess', '10.8.0.1')
    await attempt('nobody-there@example.com', 'wrong guess', '10.8.0.1')
    const entries = async () => (await auditOf(t.db, userId)).filter(({ action }) => action === 'session.refuse')
    expect(await entries()).toMatchObject([
      {
        organizationId: acme.id,
        actorId: null,
        entityType: 'user',
        entityName: email,
        address: '10.8.0.1',
        details: { reason: 'password', count: 3, lastAt: '2026-06-01T10:20:00.000Z' },
      },
    ])
    for (let i = 2; i < 26; i++) await attempt(email, 'wrong guess', `10.8.0.${i}`)
    await attempt(email, 'wrong guess', '10.8.0.2')
    const rows = await entries()
    expect(rows).toHaveLength(21)
    expect(rows.find((row) => row.address === '10.8.0.2')?.details).toMatchObject({ count: 2 })
    expect(rows.find((row) => row.address === 'other networks')?.details).toMatchObject({ count: 5 })
    t.pass(HOUR_MS)
    await attempt(email, 'wrong guess', '10.8.0.1')
    expect(await entries()).toHaveLength(22)
    t.clock.now = new Date()
  })

  test('are deleted after the right password, which itself is never counted', async () => {
    const { email } = await person()
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) await attempt(email, 'wrong guess', '10.4.4.4')
      expect((await attempt(email, PASSWORD, '10.4.4.4')).status).toBe(200)
    }
    for (let i = 0; i < 6; i++) expect((await attempt(email, PASSWORD, '10.4.4.5')).status).toBe(200)
  })

  test('cannot be tried more often in parallel', async () => {
    const { email } = await person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => attempt(email, 'wrong guess', '10.5.5.5')))
    const checked = answers.filter((a) => a.code === 'invalid_credentials').length
    // Two are checked at a time, so the check of the sixth may have started before the fifth was counted.
    expect(checked).toBeGreaterThanOrEqual(5)
    expect(checked).toBeLessThanOrEqual(6)
  })
})

describe('hashing', () => {
  test('runs two at a time, in order', async () => {
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        withHashingPermit(async () => {
          order.push(i)
          most = Math.max(most, ++running)
          await new Promise((resolve) => setImmediate(resolve))
          running--
        }),
      ),
    )
    expect(most).toBe(2)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('releases its permit when the work fails', async () => {
    for (let i = 0; i < 4; i++) {
      await expect(withHashingPermit(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await withHashingPermit(async () => 'free')).toBe('free')
  })

  test('throws busy when no permit is free in time, and continues when one is', async () => {
    const { email } = await person()
    let free = () => {}
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const holders = [withHashingPermit(() => held), withHashingPermit(() => held)]
    const answer = await t.visitor().post('auth.signIn', { email, password: PASSWORD })
    expect(answer).toMatchObject({ status: 503, code: 'busy' })
    expect(answer.headers.get('retry-after')).toBe('5')
    const waiting = t.visitor().post('auth.signIn', { email, password: PASSWORD })
    free()
    await Promise.all(holders)
    expect((await waiting).status).toBe(200)
  })

  test('handles twenty-four sign-ins at once without losing one', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, person))
    const answers = await Promise.all(
      [...members, ...members, ...members].map((m) =>
        t.visitor().post('auth.signIn', { email: m.email, password: PASSWORD }),
      ),
    )
    for (const answer of answers) expect([200, 503]).toContain(answer.status)
    expect(answers.filter((a) => a.status === 200).length).toBeGreaterThan(0)
  })
})

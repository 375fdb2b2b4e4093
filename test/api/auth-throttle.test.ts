import { sql } from 'drizzle-orm'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { budgets } from '#db/schema/credentials.ts'
import { withHashingSlot } from '#server/auth/hashing-slots.ts'
import { PASSWORD, setPassword, testDashboard } from '#test/support/dashboard.ts'
import { createMember, createOrganization, type Member, type Organization } from '#test/support/factories.ts'

const t = testDashboard()

let acme: Organization
beforeAll(async () => {
  acme = await createOrganization(t.db)
})
// Windows follow the database's clock, which no test can turn: none begins just before one ends.
beforeEach(() =>
  t.db.execute(sql`
  select pg_sleep(left_over) from (
    select 900 - mod(extract(epoch from clock_timestamp()), 900) as left_over) as w where left_over < 10`),
)
afterEach(() => t.db.delete(budgets))

async function person(): Promise<Member> {
  const member = await createMember(t.db, acme)
  await setPassword(t.db, member.userId)
  return member
}

/** As if the window that counts now had been over. */
const endWindow = () => t.db.update(budgets).set({ window: sql`${budgets.window} - 900` })

describe('wrong passwords', () => {
  const attempt = (email: string, password: string, address?: string) =>
    t.visitor(address).post('auth.signIn', { email, password })

  test('after five from one place nothing more is checked from there until the window is over', async () => {
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

  test('do not keep the owner out who comes from elsewhere', async () => {
    const { email } = await person()
    for (let i = 0; i < 7; i++) await attempt(email, 'wrong guess', '10.1.1.2')
    expect((await attempt(email, PASSWORD, '10.9.9.9')).status).toBe(200)
  })

  test('from many places are bounded together', async () => {
    const { email } = await person()
    for (let i = 0; i < 25; i++) await attempt(email, 'wrong guess', `10.2.0.${i}`)
    expect((await attempt(email, 'wrong guess', '10.2.1.1')).code).toBe('rate_limited')
    expect((await attempt((await person()).email, PASSWORD, '10.2.1.1')).status).toBe(200)
  })

  test('for many accounts from one place are bounded together, unknown ones too', async () => {
    for (let i = 0; i < 50; i++) await attempt(`nobody-${i}@example.com`, 'wrong guess', '10.3.3.3')
    expect((await attempt((await person()).email, PASSWORD, '10.3.3.3')).code).toBe('rate_limited')
  })

  test('are counted for a whole /64, which is one subscriber', async () => {
    const { email } = await person()
    for (let i = 1; i <= 5; i++) await attempt(email, 'wrong guess', `2001:db8:1:2::${i}`)
    expect((await attempt(email, PASSWORD, '2001:db8:1:2:aaaa::1')).code).toBe('rate_limited')
    expect((await attempt(email, PASSWORD, '2001:db8:1:3::1')).status).toBe(200)
  })

  test('are forgotten after the right one, which itself is never counted', async () => {
    const { email } = await person()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) await attempt(email, 'wrong guess', '10.4.4.4')
      expect((await attempt(email, PASSWORD, '10.4.4.4')).status).toBe(200)
    }
    for (let i = 0; i < 8; i++) expect((await attempt(email, PASSWORD, '10.4.4.5')).status).toBe(200)
  })

  test('cannot be tried more often by trying at once', async () => {
    const { email } = await person()
    const answers = await Promise.all(Array.from({ length: 40 }, () => attempt(email, 'wrong guess', '10.5.5.5')))
    const checked = answers.filter((a) => a.code === 'invalid_credentials').length
    // Two are checked at a time, so the sixth may have been under way when the fifth was counted.
    expect(checked).toBeGreaterThanOrEqual(5)
    expect(checked).toBeLessThanOrEqual(6)
  })
})

describe('hashing', () => {
  test('runs two at a time and in order', async () => {
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        withHashingSlot(async () => {
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

  test('frees its slot when the work fails', async () => {
    for (let i = 0; i < 4; i++) {
      await expect(withHashingSlot(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
    }
    expect(await withHashingSlot(async () => 'free')).toBe('free')
  })

  test('answers busy when no slot comes free, and goes on when one does', async () => {
    const { email } = await person()
    let free = () => {}
    const held = new Promise<void>((resolve) => {
      free = resolve
    })
    const holders = [withHashingSlot(() => held), withHashingSlot(() => held)]
    const answer = await t.visitor().post('auth.signIn', { email, password: PASSWORD })
    expect(answer).toMatchObject({ status: 503, code: 'busy' })
    expect(answer.headers.get('retry-after')).toBe('5')
    const waiting = t.visitor().post('auth.signIn', { email, password: PASSWORD })
    free()
    await Promise.all(holders)
    expect((await waiting).status).toBe(200)
  })

  test('takes sixty sign-ins at once without losing one', async () => {
    const members = await Promise.all(Array.from({ length: 20 }, person))
    const answers = await Promise.all(
      [...members, ...members, ...members].map((m) =>
        t.visitor().post('auth.signIn', { email: m.email, password: PASSWORD }),
      ),
    )
    for (const answer of answers) expect([200, 503]).toContain(answer.status)
    expect(answers.filter((a) => a.status === 200).length).toBeGreaterThan(0)
  })
})

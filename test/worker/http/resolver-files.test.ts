import { expect, test } from 'vitest'
import { parseResolvConf } from '#worker/http/resolver-files.ts'

test.each([
  ['', { servers: [], search: [], ndots: 1, timeoutMs: 2_000, attempts: 3 }],
  [
    'nameserver 10.96.0.10\nsearch shop.svc.cluster.local svc.cluster.local\noptions ndots:5',
    { servers: ['10.96.0.10'], search: ['shop.svc.cluster.local', 'svc.cluster.local'], ndots: 5 },
  ],
  [
    '# a\n; b\nnameserver 10.0.0.1 # c\r\nnameserver\t::1\nnameserver fe80::1%eth0\nnameserver 10.0.0.4',
    { servers: ['10.0.0.1', '::1', 'fe80::1%eth0'] },
  ],
  [
    'nameserver 127.0.0.1:5353\nnameserver [::1]:53\nnameserver example\nnameserver',
    { servers: ['127.0.0.1:5353', '[::1]:53'] },
  ],
  ['domain a.test\nsearch B.Test. . c.test', { search: ['b.test', 'c.test'] }],
  ['search a.test\ndomain b.test', { search: ['b.test'] }],
  ['options timeout:1 attempts:1 rotate\noptions ndots:0', { timeoutMs: 1_000, attempts: 1, ndots: 0 }],
  ['options timeout:0 attempts:99 ndots:99', { timeoutMs: 1_000, attempts: 5, ndots: 15 }],
  ['options timeout:x attempts: ndots', { timeoutMs: 2_000, attempts: 3, ndots: 1 }],
])('resolv.conf is read: %j', (text, expected) => {
  expect(parseResolvConf(text)).toMatchObject(expected)
})

import type { Metadata } from 'next'
import { Prefetch } from '../../prefetch.tsx'
import { Account } from './account.tsx'

export const metadata: Metadata = { title: 'Account' }

export default function AccountPage() {
  return (
    <Prefetch
      load={(load) =>
        Promise.all([load('account.passkeys.list'), load('account.sessions.list', { page: 1, pageSize: 10 })])
      }
    >
      <Account />
    </Prefetch>
  )
}

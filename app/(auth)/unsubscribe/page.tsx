import type { Metadata } from 'next'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { Unsubscribe } from './unsubscribe.tsx'

export const metadata: Metadata = { title: 'Stop mails' }

export default function UnsubscribePage() {
  return (
    <AuthCard title="Stop mails">
      <Unsubscribe />
    </AuthCard>
  )
}

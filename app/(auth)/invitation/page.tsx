import type { Metadata } from 'next'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { InvitationForm } from './invitation-form.tsx'

export const metadata: Metadata = { title: 'Invitation' }

export default function InvitationPage() {
  return (
    <AuthCard title="Join your team">
      <InvitationForm />
    </AuthCard>
  )
}

import type { Metadata } from 'next'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { currentContext } from '../../current-member.ts'
import { server } from '../../server.ts'
import { InvitationForm } from './invitation-form.tsx'

export const metadata: Metadata = { title: 'Invitation' }

export default async function InvitationPage() {
  return (
    <AuthCard title="Join your team">
      <InvitationForm canUsePasskeys={server.relyingParty((await currentContext()).origin) !== null} />
    </AuthCard>
  )
}

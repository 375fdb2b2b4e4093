import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { signInOrSetupPath } from '../../current-member.ts'
import { SetupForm } from './setup-form.tsx'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage() {
  // The empty fragment drops the token of a used link: without one, browsers carry it over to the next address.
  if ((await signInOrSetupPath()) !== '/setup') redirect('/#')
  return (
    <AuthCard
      title="Set up Soundline"
      intro="Create the first organization and the account of its owner. You can invite others later."
    >
      <SetupForm />
    </AuthCard>
  )
}

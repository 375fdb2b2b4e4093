import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { signInOrSetupPath } from '../../current-member.ts'
import { SetupForm } from './setup-form.tsx'

export const metadata: Metadata = { title: 'Set up' }

export default async function SetupPage() {
  if ((await signInOrSetupPath()) !== '/setup') redirect('/')
  return (
    <AuthCard
      title="Set up Soundline"
      intro="Create the first organization and its owner's account. You can invite others afterwards."
    >
      <SetupForm />
    </AuthCard>
  )
}

import type { Metadata } from 'next'
import { redirect } from 'next/navigation'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { signInOrSetupPath } from '../../current-member.ts'
import { server } from '../../server.ts'
import { ForgotPassword } from './forgot-password.tsx'

export const metadata: Metadata = { title: 'Forgot password' }

export default async function ForgotPasswordPage() {
  if ((await signInOrSetupPath()) === '/setup') redirect('/setup')
  return (
    <AuthCard title="Forgot your password?">
      <ForgotPassword hasMail={server.processRuntime().settings.SMTP_URL !== undefined} />
    </AuthCard>
  )
}

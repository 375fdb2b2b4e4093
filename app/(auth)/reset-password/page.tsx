import type { Metadata } from 'next'
import { AuthCard } from '../../components/layout/auth-card.tsx'
import { ResetPasswordForm } from './reset-password-form.tsx'

export const metadata: Metadata = { title: 'New password' }

export default function ResetPasswordPage() {
  return (
    <AuthCard title="Choose a new password">
      <ResetPasswordForm />
    </AuthCard>
  )
}

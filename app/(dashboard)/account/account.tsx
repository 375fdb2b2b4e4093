'use client'

import { Stack } from '@mantine/core'
import { useMe } from '../../client/me.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { EmailSection } from './email-section.tsx'
import { PasskeysSection } from './passkeys/passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProfileSection } from './profile-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TotpSection } from './totp-section.tsx'

export function Account() {
  const me = useMe()
  return (
    <PageFrame title="Account" intro={`You are signed in as ${me.user.email}.`}>
      <Stack gap="lg" maw={820}>
        <TotpSection />
        <PasskeysSection />
        {!me.totpEnrollmentRequired && (
          <>
            <ProfileSection />
            <EmailSection />
            <PasswordSection />
            <SessionsSection />
          </>
        )}
      </Stack>
    </PageFrame>
  )
}

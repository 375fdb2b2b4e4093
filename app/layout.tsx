import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './tokens.css'
import './full-page.css'
import './global.css'
import { ColorSchemeScript, mantineHtmlProps } from '@mantine/core'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { Providers } from './client/providers.tsx'
import { TITLE_TEMPLATE } from './client/titles/titles.ts'

export const metadata: Metadata = {
  title: { default: 'Soundline', template: TITLE_TEMPLATE },
  description: 'Scripted HTTP probes on a schedule, their results and metrics.',
  robots: { index: false, follow: false },
}

export const viewport: Viewport = {
  width: 'device-width',
  initialScale: 1,
  colorScheme: 'light dark',
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  return (
    <html lang="en" {...mantineHtmlProps}>
      <head>
        <ColorSchemeScript defaultColorScheme="auto" nonce={nonce} suppressHydrationWarning />
      </head>
      <body>
        <Providers nonce={nonce} renderedAt={Date.now()}>
          {children}
        </Providers>
      </body>
    </html>
  )
}

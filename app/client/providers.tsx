'use client'

import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { NowProvider } from './now.tsx'
import { newQueryClient } from './query-client.ts'
import { theme, variables } from './theme.ts'
import { configureValidationMessages } from './validation-messages.ts'

// Only in the browser: the setting is global, and on the server it would change the API's reasons.
if (typeof window !== 'undefined') configureValidationMessages()

const Nonce = createContext<string | undefined>(undefined)

/** Returns the page's CSP nonce, for components that add style elements. */
export function useNonce(): string | undefined {
  return useContext(Nonce)
}

export function Providers(props: {
  nonce: string | undefined
  /** The server's time, in milliseconds since the epoch. */
  renderedAt: number
  children: ReactNode
}) {
  const { nonce, renderedAt, children } = props
  const [queryClient] = useState(newQueryClient)
  // The scroll lock of dialogs adds a style element and reads its nonce from this global.
  if (typeof window !== 'undefined') (window as { __webpack_nonce__?: string }).__webpack_nonce__ ??= nonce
  return (
    <Nonce value={nonce}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce ?? ''}
      >
        <QueryClientProvider client={queryClient}>
          <ModalsProvider>
            <Notifications position="bottom-right" />
            <NowProvider renderedAt={renderedAt}>{children}</NowProvider>
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </Nonce>
  )
}

'use client'

import { MantineProvider } from '@mantine/core'
import { ModalsProvider } from '@mantine/modals'
import { Notifications } from '@mantine/notifications'
import { QueryClientProvider } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { theme, variables } from '../theme.ts'
import { newQueryClient } from './query-client.ts'
import { configureValidationMessages } from './validation-messages.ts'

// In the browser only: the setting belongs to the whole process, and the server's answers keep their own words.
if (typeof window !== 'undefined') configureValidationMessages()

const Nonce = createContext<string | undefined>(undefined)

/** The page's nonce, for styles that a component adds while it runs. */
export function useNonce(): string | undefined {
  return useContext(Nonce)
}

export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(newQueryClient)
  // The scroll lock beneath dialogs adds a style element and looks for its nonce under this name.
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
            {children}
          </ModalsProvider>
        </QueryClientProvider>
      </MantineProvider>
    </Nonce>
  )
}

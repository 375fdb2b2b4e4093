import { useEffect, useRef } from 'react'
import { withoutSecrets, withoutSecretTexts } from '#server/language/builder/secrets.ts'
import type { Step } from '#server/language/builder/steps.ts'
import type { NewServiceFields } from '#server/schemas/new-service/fields.ts'
import type { NewSecret } from '#server/schemas/new-service/secrets.ts'
import { useMe } from '../../../client/me.tsx'

/** What a reload keeps of the form. `text` is a script that the builder cannot show. Secrets have no values. */
export type KeptDraft = {
  steps: Step[]
  text: string | null
  values: Partial<NewServiceFields>
  secrets: Pick<NewSecret, 'scope' | 'key'>[]
}

const STORE_DELAY_MS = 300

/**
 * Keeps an unfinished service in this tab, so that a reload and another page lose nothing but secrets. Asks before the tab
 * is closed. Returns what forgets it.
 */
export function useKeptDraft(draft: KeptDraft | null, onRestore: (kept: KeptDraft) => void): () => void {
  const key = `soundline.new-service.${useMe().user.id}`
  const isDone = useRef(false)
  const isLoaded = useRef(false)
  const latest = useRef({ draft, onRestore })
  latest.current = { draft, onRestore }

  // After the first paint, because the server does not know what the browser keeps.
  useEffect(() => {
    const kept = readKept(key)
    isLoaded.current = true
    if (kept) latest.current.onRestore(kept)
  }, [key])

  const content = draft === null ? null : JSON.stringify(safe(draft))
  useEffect(() => {
    if (isDone.current) return
    if (content === null) {
      write(key, null)
      return
    }
    const store = () => {
      if (!isDone.current) write(key, content)
    }
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      store()
      if (!isDone.current) event.preventDefault()
    }
    const timer = setTimeout(store, STORE_DELAY_MS)
    window.addEventListener('beforeunload', confirmLeaving)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('beforeunload', confirmLeaving)
      // Leaving within the dashboard ends no page: what was typed last is stored here.
      store()
    }
  }, [key, content])

  return () => {
    isDone.current = true
    write(key, null)
  }
}

function safe({ steps, text, values, secrets }: KeptDraft): KeptDraft {
  return {
    steps: withoutSecrets(steps),
    text: text === null ? null : withoutSecretTexts(text),
    values,
    secrets: secrets.map(({ scope, key }) => ({ scope, key })),
  }
}

function readKept(key: string): KeptDraft | null {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(key) ?? 'null') as KeptDraft | null
    return Array.isArray(kept?.steps) && kept.steps.length > 0 ? kept : null
  } catch {
    return null
  }
}

/** The storage may be full or forbidden. Then nothing is kept. */
function write(key: string, content: string | null): void {
  try {
    if (content === null) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, content)
  } catch {}
}

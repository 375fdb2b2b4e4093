import { useEffect, useRef, useState } from 'react'
import type { Service } from '#server/schemas/services.ts'
import { useMe } from '../../../../client/me.tsx'

/** The saved version on which the draft is based. */
export type Base = { script: string; version: number }

type StoredDraft = { base: Base; text: string; savedAt: number }

const STORE_DELAY_MS = 300
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000

/**
 * The text in the editor, and the saved version on which it is based. Unsaved text is kept in this browser for the member
 * and the service, so that it survives navigation, a reload and the end of the session.
 */
export function useScriptDraft(service: Service) {
  const key = `soundline.script.${useMe().user.id}.${service.id}`
  const saved = { script: service.script ?? '', version: service.version }
  const [base, setBase] = useState<Base>(saved)
  const [text, setText] = useState(base.script)
  /** When the text was stored that an earlier visit left. */
  const [restoredAt, setRestoredAt] = useState<number | null>(null)
  const [isLoaded, setIsLoaded] = useState(false)
  const isDirty = text !== base.script

  // After the first paint, because the server does not know what the browser keeps.
  useEffect(() => {
    const stored = readDraft(key)
    if (stored && stored.text !== stored.base.script) {
      setBase(stored.base)
      setText(stored.text)
      setRestoredAt(stored.savedAt)
    }
    setIsLoaded(true)
  }, [key])

  const latest = useRef({ base, text })
  latest.current = { base, text }
  useEffect(() => {
    if (!isLoaded) return
    if (text === base.script) {
      removeDraft(key)
      return
    }
    const store = () => writeDraft(key, { ...latest.current, savedAt: Date.now() })
    const timer = setTimeout(store, STORE_DELAY_MS)
    const confirmLeaving = (event: BeforeUnloadEvent) => {
      store()
      event.preventDefault()
    }
    window.addEventListener('beforeunload', confirmLeaving)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('beforeunload', confirmLeaving)
    }
  }, [key, isLoaded, text, base])

  // Leaving within the dashboard ends no page: what was typed last is stored here.
  useEffect(
    () => () => {
      const { base, text } = latest.current
      if (text !== base.script) writeDraft(key, { base, text, savedAt: Date.now() })
    },
    [key],
  )

  return {
    base,
    text,
    isDirty,
    /** Another version was saved after the one on which the text is based. */
    isOutdated: service.version > base.version,
    restoredAt: isDirty ? restoredAt : null,
    edit: setText,
    /** Bases the editor on a saved version; with its text, unless another is given. */
    rebase(to: Base, newText = to.script) {
      setBase(to)
      setText(newText)
      setRestoredAt(null)
    },
  }
}

function readDraft(key: string): StoredDraft | null {
  try {
    const draft: unknown = JSON.parse(window.localStorage.getItem(key) ?? 'null')
    return isStoredDraft(draft) && Date.now() - draft.savedAt < KEPT_MS ? draft : null
  } catch {
    return null
  }
}

/** Checks by hand: zod would be a sixth of the page's code. */
function isStoredDraft(value: unknown): value is StoredDraft {
  const { base, text, savedAt } = (value ?? {}) as Partial<StoredDraft>
  return (
    typeof text === 'string' &&
    typeof savedAt === 'number' &&
    typeof base?.script === 'string' &&
    Number.isInteger(base.version)
  )
}

/** The storage may be full or forbidden. Then the page asks before it is left, and nothing is kept. */
function writeDraft(key: string, draft: StoredDraft): void {
  try {
    window.localStorage.setItem(key, JSON.stringify(draft))
  } catch {}
}

function removeDraft(key: string): void {
  try {
    window.localStorage.removeItem(key)
  } catch {}
}

import { useMemo, useState } from 'react'
import { type ProbeAssertion, type ProbeRequest, writeProbeScript } from '#server/schemas/new-service/probe-script.ts'
import { suggestAssertions } from '#server/schemas/new-service/suggestions.ts'
import { useDraftRun } from '../../../components/drafts/use-draft-run.ts'

const UNTESTED: ProbeAssertion[] = [{ kind: 'status', value: 200 }]

/** The test of the form's request, what its response suggests, and the script of what is ticked. */
export function useProbe({ method, url, body }: ProbeRequest) {
  const draft = useDraftRun()
  const [tested, setTested] = useState<ProbeRequest | null>(null)
  const [choice, setChoice] = useState<{ draftId: string; ids: string[] } | null>(null)
  const isCurrent = tested?.method === method && tested.url === url && tested.body === body
  const current = isCurrent ? draft.ended : null
  const suggestions = useMemo(() => (current?.result ? suggestAssertions(current.result) : []), [current])
  const ticked =
    current && choice?.draftId === current.id
      ? choice.ids
      : suggestions.flatMap(({ id, isTicked }) => (isTicked ? id : []))
  const assertions =
    suggestions.length === 0
      ? UNTESTED
      : suggestions.flatMap(({ id, assertion }) => (ticked.includes(id) ? assertion : []))
  const request = { method, url, body }
  return {
    draft: current,
    suggestions,
    ticked,
    tick: (ids: string[]) => current && setChoice({ draftId: current.id, ids }),
    script: writeProbeScript(request, assertions),
    isTesting: draft.isPending,
    isOutdated: tested !== null && !isCurrent,
    error: isCurrent ? draft.error : null,
    /** The test asserts nothing: it shows any response. */
    test: () => {
      setTested(request)
      draft.start(writeProbeScript(request, []))
    },
  }
}

import { ScriptView } from './script-view.tsx'

export default async function ScriptPage({ params }: { params: Promise<{ serviceId: string }> }) {
  return <ScriptView id={(await params).serviceId} />
}

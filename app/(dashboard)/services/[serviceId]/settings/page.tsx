import { SettingsView } from './settings-view.tsx'

export default async function SettingsPage({ params }: { params: Promise<{ serviceId: string }> }) {
  return <SettingsView id={(await params).serviceId} />
}

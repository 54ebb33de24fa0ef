import { IconFileTypeCsv, IconMap, IconRoute, IconWorld } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { FileMenu, type FileChoice } from '@/components/FileMenu';
import { selectTimeZone } from '@/session/sessionSlice';

interface TrackExportProps {
  deviceId: string;
  /** Milliseconds since 1970, half-open. */
  from: number;
  to: number;
}

/** The track as a file for maps and spreadsheets. */
export function TrackExport({ deviceId, from, to }: TrackExportProps) {
  const { t } = useTranslation('playback');
  const tz = useSelector(selectTimeZone);
  const formats: FileChoice<'gpx' | 'kml' | 'csv' | 'geojson'>[] = [
    { format: 'gpx', label: t('export.gpx'), icon: IconRoute },
    { format: 'kml', label: t('export.kml'), icon: IconWorld },
    { format: 'csv', label: t('export.csv'), icon: IconFileTypeCsv },
    { format: 'geojson', label: t('export.geojson'), icon: IconMap },
  ];
  return (
    <FileMenu
      choices={formats}
      file={(format) => ({
        url: `/api/v1/devices/${encodeURIComponent(deviceId)}/track`,
        params: { from: new Date(from).toISOString(), to: new Date(to).toISOString(), format, tz },
      })}
    />
  );
}

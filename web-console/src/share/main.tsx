import '@fontsource-variable/inter/wght.css';
import './share.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n, type TextFile, type TextFiles } from '@/i18n/i18n';
import { installColors } from '@/theme/installColors';
import { SharePage } from './SharePage';

const TEXT_FILES: TextFiles = import.meta.glob<TextFile>('../locales/*/share.json');

const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');

installColors();
void startI18n(TEXT_FILES, 'share').then(() => {
  createRoot(root).render(
    <StrictMode>
      <SharePage />
    </StrictMode>,
  );
});

import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { can } from '@/session/abilities';
import { selectPerson } from '@/session/sessionSlice';
import { NoAccess } from './NoAccess';

interface PrintAccessProps {
  /** Whose `list` and `export` are asked for. */
  module: 'user' | 'device' | 'audit';
  /** What those are told who may not even see the list. */
  noAccess: string;
  children: ReactNode;
}

/** A list to be printed, for those who may export it. */
export function PrintAccess({ module, noAccess, children }: PrintAccessProps) {
  const { t } = useTranslation('lists');
  const person = useSelector(selectPerson);
  if (can(`${module}:export`, person)) return children;
  return <NoAccess text={can(`${module}:list`, person) ? t('export.noAccess') : noAccess} />;
}

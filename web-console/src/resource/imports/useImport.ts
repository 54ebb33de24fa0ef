import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDispatch } from 'react-redux';
import type { DirectResult, Dispatch } from '@/api/direct';
import { actErrorText } from '@/i18n/errorText';
import type { ResourceKey } from '../registry';
import { followJob } from '../jobs';
import { stopJob } from '../stopJob';
import { useResourceTexts } from '../texts';
import {
  FILE_MAX,
  importFile,
  previewFile,
  readFile,
  type ChosenFile,
  type ImportChoices,
  type ImportMode,
  type ImportPreview,
  type TablePlace,
} from './importCalls';
import { useTrial } from './useTrial';

/** The steps of an import, in their order. */
export const STEPS = ['file', 'columns', 'check'] as const;

interface State {
  step: (typeof STEPS)[number];
  file?: ChosenFile;
  preview?: ImportPreview;
  /** What each column is; empty where it is passed over. */
  columns: string[];
  tenantId: string;
  /** Where the table was said to be. */
  place: TablePlace;
  choices: ImportChoices;
}

const NOTHING_CHOSEN: ImportChoices = { createMissing: false, proposals: 'ask' };

const headings = (preview: ImportPreview | undefined) => JSON.stringify(preview?.columns.map(({ heading }) => heading));

/** One import: how far it is, and what leads on. Whatever fails leaves it where it was. */
export function useImport(key: ResourceKey, tenantId: string, onStarted: () => void) {
  const { t } = useResourceTexts(key);
  const { t: common } = useTranslation();
  const dispatch = useDispatch<Dispatch>();
  const [state, setState] = useState<State>({
    step: 'file',
    columns: [],
    tenantId,
    place: {},
    choices: NOTHING_CHOSEN,
  });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const trial = useTrial(key);
  const abort = useRef<AbortController>(null);
  /** Counts the steps that were gone to: what was asked for in another one is not wanted any more. */
  const visit = useRef(0);
  useEffect(
    () => () => {
      visit.current += 1;
      abort.current?.abort();
    },
    [],
  );

  /** The answer, unless it failed, which is said, or nobody waits for it any more. */
  const ask = async <T>(
    call: (signal: AbortSignal) => (dispatch: Dispatch, getState: () => unknown) => Promise<DirectResult<T>>,
  ) => {
    const own = new AbortController();
    abort.current?.abort();
    abort.current = own;
    setBusy(true);
    setProblem(null);
    const { data, error } = await dispatch(call(own.signal));
    if (own.signal.aborted) return undefined;
    setBusy(false);
    if (error) setProblem(actErrorText(error, common));
    return data;
  };

  const choose = async (chosen: File) => {
    if (chosen.size > FILE_MAX) return setProblem(t('import.tooLarge'));
    const file = await readFile(chosen).catch(() => null);
    if (!file) return setProblem(t('import.unreadable'));
    return look(file, {});
  };

  /** Reads the table that is at a place of the file. */
  const look = async (file: ChosenFile, place: TablePlace) => {
    const preview = await ask((signal) => previewFile(key, file, place, signal));
    if (!preview) return;
    setState((before) => ({
      ...before,
      step: 'columns',
      file,
      preview,
      place,
      choices: NOTHING_CHOSEN,
      // A file that was corrected has the columns that were told before.
      columns:
        headings(preview) === headings(before.preview) ? before.columns : preview.columns.map(({ field }) => field),
    }));
  };

  const run = async (mode: ImportMode, choices = state.choices) => {
    const { file, columns, place } = state;
    if (!file) return;
    const visited = visit.current;
    // It is not called off on its way: only who knows the job can stop it.
    const { signal } = new AbortController();
    setBusy(true);
    setProblem(null);
    const request = { file, place, columns, choices, tenantId: state.tenantId, mode };
    const { data: job, error } = await dispatch(importFile(key, request, signal));
    const isLeft = visit.current !== visited;
    if (!isLeft) setBusy(false);
    if (error && !isLeft) setProblem(actErrorText(error, common));
    if (!job) return;
    if (mode !== 'dry_run') {
      followJob({ service: job.service, id: job.id, label: t('import.job', { file: file.name }), job });
      return isLeft ? undefined : onStarted();
    }
    if (isLeft) return void dispatch(stopJob(job));
    setState((before) => ({ ...before, step: 'check' }));
    return trial.follow(job);
  };

  return {
    ...state,
    busy,
    problem: problem ?? trial.problem,
    trial,
    choose,
    run,
    /** Where the table is, when it is not where it seemed to be. */
    setPlace: (place: TablePlace) => (state.file ? look(state.file, place) : undefined),
    /** What was found is to be seen otherwise: the file is tried out once more. */
    setChoices: (changes: Partial<ImportChoices>) => {
      const choices = { ...state.choices, ...changes };
      setState((before) => ({ ...before, choices }));
      return run('dry_run', choices);
    },
    /** A column is something; another one that was it is passed over then. */
    setColumn: (place: number, field: string) =>
      setState((before) => ({
        ...before,
        columns: before.columns.map((other, index) => (index === place ? field : other === field ? '' : other)),
      })),
    setTenant: (id: string) => setState((before) => ({ ...before, tenantId: id })),
    goTo: (step: State['step']) => {
      visit.current += 1;
      setBusy(false);
      trial.leave();
      setProblem(null);
      setState((before) => ({ ...before, step }));
    },
  };
}

/** An import under way. */
export type Importing = ReturnType<typeof useImport>;

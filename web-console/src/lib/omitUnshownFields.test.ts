import { describe, expect, it } from 'vitest';
import { omitUnshownFields } from './omitUnshownFields';

const shown = { status: 'active', icon: 'car' };
const send = (input: typeof shown, present: { status: string; icon: string }) =>
  omitUnshownFields(input, present, shown, ['status', 'icon']);

describe('omitUnshownFields', () => {
  it('leaves alone what the form could not show', () => {
    expect(send(shown, { status: 'unspecified', icon: 'car' })).toEqual({ icon: 'car' });
  });
  it('sends what somebody chose', () => {
    expect(send({ status: 'inactive', icon: 'car' }, { status: 'unspecified', icon: 'car' })).toEqual({
      status: 'inactive',
      icon: 'car',
    });
  });
  it('sends what was known, changed or not', () => {
    expect(send({ status: 'active', icon: 'bus' }, { status: 'active', icon: 'car' })).toEqual({
      status: 'active',
      icon: 'bus',
    });
  });
});

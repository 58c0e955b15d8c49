import { of, Subject, Subscription } from "rxjs";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ContainedObservable } from "../../src/progress/index.ts";

function create() {
  const source = new Subject<number>();
  const subscriberFailed = vi.fn<(error: unknown) => void>();
  const seen: unknown[] = [];
  const observer = {
    next: (value: number) => void seen.push(value),
    error: (error: unknown) => void seen.push(error),
    complete: () => void seen.push("complete"),
  };
  return { source, subscriberFailed, seen, observer, contained: new ContainedObservable(source, { subscriberFailed }) };
}

describe("a contained subscription", () => {
  it("is RxJS's own kind, which hears nothing any more once it is left", () => {
    const { source, contained, observer, seen } = create();
    const subscription = contained.subscribe(observer);
    expect(subscription).toBeInstanceOf(Subscription);
    source.next(1);
    subscription.unsubscribe();
    source.next(2);
    source.complete();
    expect(seen).toEqual([1]);
    expect(subscription.closed).toBe(true);
    expect(source.observed).toBe(false);
  });

  it.each([
    ["complete", (source: Subject<number>) => source.complete(), ["complete"]],
    ["error", (source: Subject<number>) => source.error("fault"), ["fault"]],
  ])("is over after %s, whatever comes then", (_, end, expected) => {
    const { source, contained, observer, seen } = create();
    const subscription = contained.subscribe(observer);
    end(source);
    source.next(1);
    source.complete();
    expect(seen).toEqual(expected);
    expect(subscription.closed).toBe(true);
  });

  it("tears down once what it was given, at once when it is over", () => {
    const { source, contained, observer } = create();
    const subscription = contained.subscribe(observer);
    const torn: string[] = [];
    const plain = (name: string) => ({ unsubscribe: () => void torn.push(name) });
    const removed = plain("removed");
    subscription.add(removed);
    subscription.add(plain("first"));
    subscription.remove(removed);
    for (const name of ["second", "third"]) subscription.add(plain(name));
    subscription.add(() => void torn.push("function"));
    const child = new Subscription(() => void torn.push("child"));
    subscription.add(child);
    expect(torn).toEqual([]);
    source.complete();
    expect(torn.toSorted()).toEqual(["child", "first", "function", "second", "third"]);
    subscription.add(plain("late"));
    subscription.unsubscribe();
    expect(torn).toHaveLength(6);
    expect(child.closed).toBe(true);
  });

  it("lets go of a child that has ended, and tears down what is left when one throws", () => {
    const { contained, observer } = create();
    const subscription = contained.subscribe(observer);
    const torn = vi.fn();
    const child = new Subscription();
    subscription.add({ unsubscribe: torn });
    subscription.add(child);
    child.unsubscribe();
    subscription.add(() => {
      throw new Error("teardown");
    });
    expect(() => subscription.unsubscribe()).toThrow("teardown");
    expect(torn).toHaveBeenCalledOnce();
  });

  it("is left from within its consumer", () => {
    const { source, contained, subscriberFailed } = create();
    const seen: number[] = [];
    const subscription = contained.subscribe((value) => {
      seen.push(value);
      subscription.unsubscribe();
    });
    for (const value of [1, 2]) source.next(value);
    expect(seen).toEqual([1]);
    expect(subscriberFailed).not.toHaveBeenCalled();
  });

  it("is told of a value that is there at once, and of an error that nobody takes", () => {
    const { contained, source, subscriberFailed } = create();
    const next = vi.fn();
    new ContainedObservable(of(1, 2), { subscriberFailed }).subscribe(next);
    expect(next.mock.calls).toEqual([[1], [2]]);
    contained.subscribe(next);
    source.error("fault");
    expect(subscriberFailed.mock.calls).toEqual([["fault"]]);
  });

  it("costs no subscriber of RxJS's making", () => {
    const { contained, observer } = create();
    const subscription = contained.subscribe(observer);
    onTestFinished(() => subscription.unsubscribe());
    expect("destination" in subscription).toBe(false);
    const wrapped = new Subject<number>().subscribe(observer);
    onTestFinished(() => wrapped.unsubscribe());
    expect("destination" in wrapped).toBe(true);
  });
});
